import {
  CONFIG_FIELDS_MAX,
  CONFIG_NAME_CHARS_MAX,
  CONFIG_VALUE_BYTES_MAX,
  DEFAULT_ENTRY_LABEL,
  ENTRY_LABEL,
  ENTRY_LABEL_CHARS_MAX,
} from "@bulkhead/core";
import { z } from "zod";
import { CONFIG_ENTRY_EXAMPLE } from "./examples.ts";
import { timestamp } from "./fields.ts";

const Label = z
  .string()
  .min(1)
  .max(ENTRY_LABEL_CHARS_MAX)
  .regex(
    ENTRY_LABEL,
    "must begin and end with a visible character, hold no slashes and control characters, and be neither . nor ..",
  )
  .describe("The name by which code asks for the entry; unique within its service.");

/** Values are looked at field by field where the service's fields are known; no more of them than fields gets there. */
const Data = z
  .record(
    z.string().max(CONFIG_NAME_CHARS_MAX),
    z.union([z.string().max(CONFIG_VALUE_BYTES_MAX), z.number(), z.boolean(), z.null()], {
      error: `must be a text of up to ${CONFIG_VALUE_BYTES_MAX} bytes, a number, true, false or null`,
    }),
  )
  .refine(
    (data) => Object.keys(data).length <= CONFIG_FIELDS_MAX,
    `must not name more than ${CONFIG_FIELDS_MAX} fields`,
  )
  .describe("Values by field. A secret is write-only.");

const allowWeak = z
  .boolean()
  .default(false)
  .describe(
    "Takes secrets that are short or common words; they are covered only where they stand as whole words.",
  );

export const CreateConfigEntry = z
  .strictObject({
    label: Label.default(DEFAULT_ENTRY_LABEL),
    data: Data,
    isDefault: z.boolean().default(false).describe("The first entry is the default whatever is said."),
    allowWeak,
  })
  .meta({ examples: [CONFIG_ENTRY_EXAMPLE] });

export const UpdateConfigEntry = z.strictObject({
  label: Label.optional(),
  data: Data.optional().describe("Fields that are not named stay; null takes a value away."),
  isDefault: z.literal(true).optional().describe("Another entry becomes the default only by its own change."),
  allowWeak,
});

const SecretFacts = z
  .object({
    isSet: z.literal(true),
    setAt: timestamp,
    setBy: z.string().describe("Id of the key that set it."),
    lastFour: z.string().optional().describe("Its last characters, where it is long enough to show them."),
    wholeWordsOnly: z.boolean().describe("Taken although short or common: covered only as a whole word."),
  })
  .describe("All that is shown of a secret.");

export const ConfigEntry = z
  .object({
    label: z.string(),
    isDefault: z.boolean().describe("The entry for requests that name none."),
    data: z.record(
      z.string(),
      z
        .union([z.string(), z.number(), z.boolean(), SecretFacts])
        .describe("A value, or the visible facts about a secret."),
    ),
    missing: z.array(z.string()).describe("Required fields that it lacks."),
    hosts: z.array(z.string()).describe("The hosts that its secrets may be sent to."),
    hostsFrom: z
      .enum(["allowedHosts", "base_url", "code", "nothing"])
      .describe(
        "The source of `hosts`; `nothing`: its secrets may be sent nowhere until `allowedHosts` of the service names a host.",
      ),
    createdAt: timestamp,
    updatedAt: timestamp,
    warnings: z.array(z.string()).optional(),
  })
  .meta({ id: "ConfigEntry" });

export const ConfigEntries = z.object({ entries: z.array(ConfigEntry), nextCursor: z.null() });
