import {
  ALLOWED_HOST_CHARS_MAX,
  ALLOWED_HOSTS_MAX,
  CONFIG_ENTRIES_MAX,
  CONFIG_FIELD_TYPES,
  CONFIG_NAME_CHARS_MAX,
  SECRET_DELIVERIES,
} from "@bulkhead/core";
import { z } from "zod";
import { ConfigEntry } from "./config-entries.ts";
import { CONFIG_SERVICE_EXAMPLE } from "./examples.ts";
import { clearable, pageLimit, text, timestamp } from "./fields.ts";
import { ConfigSchema, ConfigServiceName, serviceFacts, ServiceKindField } from "./required-services.ts";

const terms = {
  ...serviceFacts,
  multiEntry: z.boolean().describe(`Whether there may be several entries, up to ${CONFIG_ENTRIES_MAX}.`),
  configSchema: ConfigSchema,
  allowedHosts: z
    .array(text(ALLOWED_HOST_CHARS_MAX, 1))
    .max(ALLOWED_HOSTS_MAX)
    .describe(
      "Where its secrets may go, in the words of a tool's `allowedHosts`; empty: nowhere. Left out or null: the host of the entry's `base_url`, else `codeHosts`.",
    ),
  delivery: z
    .enum(SECRET_DELIVERIES)
    .describe(
      "`placeholder`: code holds a placeholder that is only exchanged on the way out, in headers and URL queries toward those hosts; `reveal`: code holds the value itself. A change holds for the next execution, also of versions that were approved before; a version's evidence names the services that reveal theirs.",
    ),
  exchangeInBody: z.boolean().describe("Placeholders are exchanged in request bodies too."),
};

/** Null counts as left out. */
const allowedHosts = terms.allowedHosts.nullable().describe(terms.allowedHosts.description ?? "");

export const CreateConfigService = z
  .strictObject({
    name: ConfigServiceName.describe("The name by which tools ask for it."),
    kind: ServiceKindField.default("api"),
    displayName: terms.displayName.optional(),
    description: terms.description.optional(),
    category: terms.category.optional(),
    docsUrl: terms.docsUrl.optional(),
    multiEntry: terms.multiEntry.default(false),
    configSchema: terms.configSchema
      .optional()
      .describe("Left out: `api_key` (secret) and `base_url` (url)."),
    allowedHosts: allowedHosts.default(null),
    delivery: terms.delivery.default("placeholder"),
    exchangeInBody: terms.exchangeInBody.default(false),
  })
  .meta({ examples: [CONFIG_SERVICE_EXAMPLE] });

export const UpdateConfigService = z.strictObject({
  kind: ServiceKindField.optional().describe(
    "Another kind has other fields: it is taken while there is no entry.",
  ),
  displayName: clearable(terms.displayName),
  description: clearable(terms.description),
  category: clearable(terms.category),
  docsUrl: clearable(terms.docsUrl),
  multiEntry: terms.multiEntry.optional(),
  configSchema: terms.configSchema.optional(),
  allowedHosts: allowedHosts.optional(),
  delivery: terms.delivery.optional(),
  exchangeInBody: terms.exchangeInBody.optional(),
});

export const ConfigServiceQuery = z.strictObject({
  limit: pageLimit,
  cursor: text(CONFIG_NAME_CHARS_MAX, 1).optional().describe("The `nextCursor` of the page before."),
});

const listed = {
  name: z.string(),
  kind: ServiceKindField,
  displayName: z.string().optional(),
  description: z.string().optional(),
  category: z.string().optional(),
  docsUrl: z.string().optional(),
  multiEntry: z.boolean(),
  configSchema: z.array(
    z.object({
      name: z.string(),
      type: z.enum(CONFIG_FIELD_TYPES),
      required: z.boolean(),
      default: z.union([z.string(), z.number(), z.boolean()]).optional(),
      description: z.string().optional(),
      options: z.array(z.string()).optional(),
    }),
  ),
  allowedHosts: z.array(z.string()).optional().describe("Absent: as each entry's `hosts` says."),
  codeHosts: z
    .array(z.string())
    .describe(
      "Hosts in the code of the tool that registered it; none if that is a model's. They hold if neither `allowedHosts` nor `base_url` names one.",
    ),
  delivery: z.enum(SECRET_DELIVERIES),
  exchangeInBody: z.boolean(),
  registeredBy: z.string().optional().describe("Id of the tool that registered it."),
  kept: z
    .boolean()
    .describe("A person made, changed or filled it; else it goes with the last tool that needs it."),
  configured: z.boolean().describe("Its default entry has all that is required."),
  missing: z
    .array(z.string())
    .describe("The required fields that its default entry lacks; of a service without entries, all of them."),
  labels: z.array(z.string()).describe("The labels of its entries, oldest first."),
  createdAt: timestamp,
  updatedAt: timestamp,
};

/** A service as lists show it. */
const ConfigServiceSummary = z
  .object({
    ...listed,
    tools: z.array(z.string()).describe("Names of the first tools that need it, up to 5."),
    toolCount: z.int().describe("How many tools need it."),
  })
  .meta({ id: "ConfigServiceSummary" });

export const ConfigService = z
  .object({
    ...listed,
    entries: z.array(ConfigEntry),
    tools: z.array(z.string()).optional().describe("Names of tools that need it, up to 100."),
  })
  .meta({ id: "ConfigService" });

export const ConfigServicePage = z.object({
  services: z.array(ConfigServiceSummary),
  nextCursor: z.string().nullable(),
});
