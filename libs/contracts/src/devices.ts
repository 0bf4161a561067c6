import {
  DEVICE_COMMAND_NAME,
  DEVICE_COMMANDS_BYTES_MAX,
  DEVICE_COMMANDS_MAX,
  DEVICE_DESCRIPTION_CHARS_MAX,
  DEVICE_ID,
  DEVICE_NAME_CHARS_MAX,
  DEVICE_PLATFORM_CHARS_MAX,
  PAIRING_CODE_MS,
  USER_ID_CHARS_MAX,
} from "@bulkhead/core";
import { harmlessLine } from "@bulkhead/core/harmless";
import { z } from "zod";
import { agentId, anyObject, displayedName, pageCursor, pageLimit, text, timestamp } from "./fields.ts";

/** One line of text that no terminal and no page takes for anything else. */
const line = <T extends z.ZodType<string>>(field: T) =>
  field.refine(
    (said) => harmlessLine(said) === said,
    "must be one line without control, invisible or direction characters",
  );

const name = line(displayedName(DEVICE_NAME_CHARS_MAX));

const binding = {
  agentId: agentId.optional().describe("The agent that alone may use the device; left out: any."),
  userId: text(USER_ID_CHARS_MAX, 1)
    .optional()
    .describe("The user (`context.userId` of a call) for whom alone it may be used; left out: any."),
};

const commandFields = {
  name: z
    .string()
    .regex(DEVICE_COMMAND_NAME)
    .describe("Letters, digits, `_`, `.` and `-`, 64 at most, a letter or digit first."),
  description: text(DEVICE_DESCRIPTION_CHARS_MAX).describe("What it does, for models and people."),
};

/** The commands that a device offers, wherever it says so. */
export const DeviceCommands = z
  .array(
    z.strictObject({
      ...commandFields,
      parameters: anyObject
        .optional()
        .describe("JSON Schema of its arguments, an object's; left out: any object."),
    }),
  )
  .max(DEVICE_COMMANDS_MAX)
  .refine(
    (commands) => new Set(commands.map((command) => command.name)).size === commands.length,
    "must name each command once",
  )
  .refine(
    (commands) => Buffer.byteLength(JSON.stringify(commands)) <= DEVICE_COMMANDS_BYTES_MAX,
    `must have ${DEVICE_COMMANDS_BYTES_MAX} bytes at most as JSON`,
  )
  .describe("What can be invoked on it. It may say so anew whenever it is connected.");

export const CreatePairingCode = z.strictObject({
  name: name.optional().describe("The device's name, whatever it calls itself."),
  ...binding,
});

export const CreatedPairingCode = z
  .object({
    code: z.string().describe(`As \`ABCD-EFGH\`; it works once, for ${PAIRING_CODE_MS / 60_000} minutes.`),
    expiresAt: timestamp,
  })
  .meta({ id: "CreatedPairingCode", description: "It is made; it can be read this once." });

/** Characters of what is sent as a code, blanks and hyphens among them. */
const CODE_CHARS_MAX = 32;

export const PairDevice = z
  .strictObject({
    code: text(CODE_CHARS_MAX, 1).describe("The pairing code; case, blanks and hyphens make no difference."),
    name: name.describe("What the device calls itself, such as its host's name."),
    platform: line(text(DEVICE_PLATFORM_CHARS_MAX, 1))
      .optional()
      .describe("What it runs on, such as `linux`."),
    commands: DeviceCommands,
  })
  .meta({
    examples: [
      {
        code: "ABCD-EFGH",
        name: "build-server",
        platform: "linux",
        commands: [{ name: "disk-usage", description: "Tells how full the disks are." }],
      },
    ],
  });

const aboutDevice = {
  ...binding,
  enabled: z.boolean().describe("One that is not can't connect, and agents don't see it."),
  online: z.boolean().describe("Whether it is connected now."),
  lastSeenAt: timestamp
    .optional()
    .describe("When it was last connected, to about a minute; absent: never yet."),
  pairedBy: z.string().describe("The id of the API key that made its pairing code."),
  createdAt: timestamp,
};
const ownWords = { id: z.string(), name: z.string(), platform: z.string().optional() };

export const Device = z
  .object({
    ...ownWords,
    commands: z.array(z.object({ ...commandFields, parameters: anyObject.optional() })),
    ...aboutDevice,
  })
  .meta({ id: "Device" });

export const DeviceSummary = z
  .object({
    ...ownWords,
    commandNames: z
      .array(z.string())
      .describe("The names of its commands; `GET /devices/:id` has them whole."),
    ...aboutDevice,
  })
  .meta({ id: "DeviceSummary" });

export const PairedDevice = z
  .object({
    device: Device,
    token: z
      .string()
      .describe("`bhd_…`, what the device connects with: `Authorization: Bearer`. It is shown this once."),
  })
  .meta({ id: "PairedDevice", description: "It is paired; its token can be read this once." });

export const DevicePage = z.object({ devices: z.array(DeviceSummary), nextCursor: z.string().nullable() });

export const DeviceQuery = z.strictObject({
  online: z.enum(["true", "false"]).optional().describe("Only those that are connected now, or are not."),
  q: text(DEVICE_NAME_CHARS_MAX, 1)
    .optional()
    .describe("A part of the name or the platform, whatever its case."),
  limit: pageLimit,
  cursor: pageCursor(DEVICE_ID),
});

export const UpdateDevice = z
  .strictObject({
    name: name.describe("What people and agents call it; two devices may have the same."),
    enabled: z.boolean().describe("`false` closes its connection at once and hides it from agents."),
  })
  .partial();
