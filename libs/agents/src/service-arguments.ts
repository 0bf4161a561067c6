import { CONFIG_FIELD_TYPES, type JsonObject } from "@bulkhead/core";
import { object, text } from "./write-schema.ts";

/** API keys as a model declares them. */
export const apiKeys: JsonObject = {
  type: "array",
  items: object(
    {
      name: text("The service's name, by which the code asks for its key."),
      displayName: text("The service's name for people."),
      description: text("What the key is for."),
      category: text("Group of services."),
      docsUrl: text("Where a person gets a key."),
    },
    ["name"],
  ),
  description: "API keys that the tool asks for with `utils.getApiKey(name)`.",
};

/** Services as a model declares them, with their fields. */
export const configServices: JsonObject = {
  type: "array",
  items: object(
    {
      name: text("The service's name, by which the code asks for its configuration."),
      displayName: text("The service's name for people."),
      description: text("What the service is needed for."),
      category: text("Group of services."),
      docsUrl: text("Where a person learns what to fill in."),
      multiEntry: {
        type: "boolean",
        description: "Whether there may be several entries, as for mail accounts.",
      },
      configSchema: {
        type: "array",
        items: object(
          {
            name: text("The field's name."),
            type: { type: "string", enum: [...CONFIG_FIELD_TYPES], description: "What it holds." },
            required: { type: "boolean", description: "Whether each entry must fill it in." },
            description: text("What a person fills in."),
            options: { type: "array", items: { type: "string" }, description: "Of a select: its choices." },
          },
          ["name", "type"],
        ),
        description: "The fields of an entry; `api_key` and `base_url` when left out.",
      },
    },
    ["name"],
  ),
  description: "Services that the tool asks for with `utils.getFieldValue(name, field)` and its like.",
};
