import {
  CONFIG_FIELD_TYPES,
  CONFIG_FIELDS_MAX,
  CONFIG_NAME,
  CONFIG_NAME_CHARS_MAX,
  configValueFault,
  FIELD_NAME,
  FIELD_OPTIONS_MAX,
  REQUIRED_SERVICES_MAX,
  SERVICE_KINDS,
  type ConfigField as Field,
  type RequiredConfigService as Required,
} from "@bulkhead/core";
import { z } from "zod";
import { displayedName, text, webUrl } from "./fields.ts";

export const ConfigServiceName = z
  .string()
  .max(CONFIG_NAME_CHARS_MAX)
  .regex(CONFIG_NAME, "must start with a letter or a digit and hold only letters, digits, ., - and _");

/** The facts about a service that people see. */
export const serviceFacts = {
  displayName: displayedName(200).describe("Its name for people."),
  description: text(2_000).describe("Its purpose."),
  category: text(64).describe("Any word by which people find it."),
  docsUrl: webUrl(2_000).describe("The URL of its own documentation: http or https."),
};

const ConfigField = z
  .strictObject({
    name: z
      .string()
      .max(CONFIG_NAME_CHARS_MAX)
      .regex(FIELD_NAME, "must start with a letter or _ and hold only letters, digits and _")
      .describe("The name by which code asks for the value."),
    type: z
      .enum(CONFIG_FIELD_TYPES)
      .describe(
        "`secret`: write-only, and a tool is given a placeholder of it unless the service reveals it.",
      ),
    required: z
      .boolean()
      .default(false)
      .describe("Whether an entry without it counts as not configured; it takes no blank text then."),
    default: z
      .union([z.string(), z.number(), z.boolean()])
      .optional()
      .describe("The value for entries without one; a secret has none."),
    description: text(2_000).optional().describe("Help for the person who fills it in."),
    options: z.array(text(200, 1)).max(FIELD_OPTIONS_MAX).optional().describe("The choices of a `select`."),
  })
  .superRefine((field, issues) => {
    const fault = (path: string, message: string) =>
      issues.addIssue({ code: "custom", path: [path], message });
    if ((field.type === "select") !== (field.options !== undefined && field.options.length > 0)) {
      fault("options", "must list the choices of a select, and of no other type");
    }
    if (field.default === undefined) return;
    if (field.type === "secret") return fault("default", "can't be given for a secret");
    const { type, required, options = [] } = field;
    const wrong = configValueFault({ type, required, options }, field.default);
    if (wrong !== null) fault("default", wrong);
  });

export const ConfigSchema = z
  .array(ConfigField)
  .min(1)
  .max(CONFIG_FIELDS_MAX)
  .superRefine((fields, issues) => {
    fields.forEach(({ name }, index) => {
      if (fields.findIndex((other) => other.name === name) === index) return;
      issues.addIssue({ code: "custom", path: [index, "name"], message: "stands for another field already" });
    });
  })
  .describe("The fields that each entry fills in.");

export const RequiredApiKey = z.strictObject({
  name: ConfigServiceName.describe("The name by which the code asks for it."),
  displayName: serviceFacts.displayName.optional(),
  description: serviceFacts.description.optional(),
  category: serviceFacts.category.optional(),
  docsUrl: serviceFacts.docsUrl.optional(),
});

export const ServiceKindField = z
  .enum(SERVICE_KINDS)
  .describe(
    "`api`: code asks it itself. `postgres`: a database for `utils.db` and `database_query`. `image` and `speech`: what the tools `image` and `tts` ask, under the names `image` and `tts`. The others are channels for `utils.email` and `message`. The fields of all but `api` are the platform's, and code is told none of their values.",
  );

export const RequiredConfigService = RequiredApiKey.extend({
  kind: ServiceKindField.optional().describe("What the service is; left out: an `api`."),
  multiEntry: z.boolean().optional().describe("Whether there may be several entries."),
  configSchema: ConfigSchema.optional().describe("Left out: `api_key` (secret) and `base_url` (url)."),
});

/** A tool's description of the services it needs. */
export const requirements = {
  requiredApiKeys: z
    .array(RequiredApiKey)
    .max(REQUIRED_SERVICES_MAX)
    .describe("Deprecated: use `requiredConfigServices`, which can say more."),
  requiredConfigServices: z
    .array(RequiredConfigService)
    .max(REQUIRED_SERVICES_MAX)
    .describe(
      "Services whose configuration the code asks for; those that the tenant lacks are registered, and wait to be filled in.",
    ),
};

/** The domain's type: no field from JSON is undefined. */
export const asConfigSchema = (fields: z.infer<typeof ConfigSchema>): Field[] => fields as Field[];

/** The domain's type: no field from JSON is undefined. */
export const asRequiredServices = (services: readonly z.infer<typeof RequiredConfigService>[]): Required[] =>
  services as Required[];
