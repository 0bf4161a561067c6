import type { Definition } from "./definitions/formats.ts";
import { PERMISSIONS, type JsonObject } from "@bulkhead/core";
import { SCRIPT_PERMISSIONS } from "./calls/run-code.ts";
import { apiKeys, configServices } from "./service-arguments.ts";
import { object, text } from "./write-schema.ts";

const toolName = text("Name of the tool.");
const code = text(
  "JavaScript: the body of an async function. Read the arguments from `args` and return the result. A whole function is called with `(args, context)`, and a call of the code's own function at its end is returned. No imports, no require.",
);
const schemaText = text('JSON Schema of the tool\'s arguments, as a JSON string. Must have type "object".');
const permissions: JsonObject = {
  type: "array",
  items: { type: "string", enum: [...PERMISSIONS] },
  description:
    "What the tool needs: `network` for fetch. With shell, filesystem or email a person has to approve the tool first.",
};

/**
 * The platform's own tools for models, each with its parameters. `requiresConfirmation`: a person decides on an agent's
 * call.
 */
export const META_TOOL_DEFINITIONS: readonly Definition[] = [
  define(
    "create_tool",
    "Create a new tool from JavaScript code; other tools and agents of this tenant can call it by its name. Tools to copy: GET /api/v1/templates, or the resource bulkhead://templates.",
    object(
      {
        name: text("Unique name: lowercase letters, digits and _, starting with a letter."),
        description: text("What the tool does, and when to use it."),
        parameters: schemaText,
        code,
        category: text('Group of tools, as in "Weather".'),
        permissions,
        required_api_keys: apiKeys,
        required_config_services: configServices,
      },
      ["name", "description", "parameters", "code"],
    ),
    true,
  ),
  define(
    "list_custom_tools",
    "List the tenant's tools, newest first, with how many there are.",
    object(
      {
        category: text("Only tools of this category."),
        status: {
          type: "string",
          enum: ["active", "disabled", "pending_approval"],
          description: "Only these.",
        },
      },
      [],
    ),
  ),
  define(
    "delete_custom_tool",
    "Delete a tool that a model made, for good. Tools that a person made can't be deleted by this.",
    object(
      {
        name: toolName,
        confirm: { type: "boolean", description: "Must be true to delete; without it you are asked." },
      },
      ["name"],
    ),
    true,
  ),
  define(
    "toggle_custom_tool",
    "Enable or disable a tool.",
    object({ name: toolName, enabled: { type: "boolean", description: "true enables, false disables." } }, [
      "name",
      "enabled",
    ]),
  ),
  define(
    "update_tool",
    "Change a tool that a model made; what is left out stays. A version that may do more than before waits for a person while the old one runs on. Tools that a person made can't be changed by this.",
    object(
      {
        name: toolName,
        description: text("What the tool does, and when to use it."),
        parameters: schemaText,
        code,
        category: text("Group of tools."),
        permissions,
        required_api_keys: apiKeys,
        required_config_services: configServices,
      },
      ["name"],
    ),
  ),
  define(
    "search_tools",
    "Find tools by what they do; the best matches first. Look here before you create a tool.",
    object(
      {
        query: text("A few words for what the tool should do."),
        limit: {
          type: "integer",
          minimum: 1,
          maximum: 20,
          description: "How many at most; 8 when left out.",
        },
      },
      ["query"],
    ),
  ),
  define(
    "describe_tools",
    "Tell the arguments of tools: JSON Schema and a TypeScript declaration.",
    object(
      {
        names: {
          type: "array",
          items: { type: "string" },
          minItems: 1,
          maxItems: 10,
          description: "Names of tools.",
        },
      },
      ["names"],
    ),
  ),
  define(
    "call_tool",
    "Call a tool by its name and get its result. Find it with search_tools and read its arguments with describe_tools first.",
    object(
      {
        name: toolName,
        arguments: {
          type: "object",
          description: "The tool's arguments, as its schema wants them.",
          additionalProperties: true,
        },
      },
      ["name"],
    ),
  ),
  define(
    "run_code",
    "Run one script that calls several tools with `await utils.callTool(name, args)` and returns only what you need.",
    object(
      {
        code,
        arguments: {
          type: "object",
          description: "What the script reads as `args`.",
          additionalProperties: true,
        },
        permissions: {
          type: "array",
          items: { type: "string", enum: SCRIPT_PERMISSIONS },
          description: "What the script itself needs, if a person's key calls; an agent's script has none.",
        },
        required_config_services: {
          ...configServices,
          description:
            "Services that the script asks for, if a person's key calls; an agent's script has none.",
        },
      },
      ["code"],
    ),
  ),
];

function define(
  name: string,
  description: string,
  parameters: JsonObject,
  requiresConfirmation = false,
): Definition {
  return {
    name,
    title: null,
    hints: null,
    description,
    parameters,
    outputSchema: null,
    category: "Meta",
    requiresConfirmation,
  };
}
