import { DeviceCommands, readInput } from "@bulkhead/contracts";
import type { DeviceCommand, JsonObject } from "@bulkhead/core";
import { z } from "zod";

/** Codes of RFC 6455, 7.4.1, with which a connection ends. */
export const CLOSE = { goingAway: 1001, notAllowed: 1008, tryLater: 1013 } as const;
export const NOT_AVAILABLE = "a part of the service is not available";

/** Characters of an invocation's id; it is made here. */
const ID_CHARS_MAX = 64;
const id = z.string().max(ID_CHARS_MAX);

const FROM_DEVICE = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello"), commands: DeviceCommands }),
  z.object({
    type: z.literal("result"),
    id,
    ok: z.boolean(),
    value: z.any().optional(),
    error: z.string().optional(),
  }),
  z.object({ type: z.literal("progress"), id, message: z.string() }),
]);

/** What a device says, one JSON object a message; fields that are not known are passed over. */
export type FromDevice =
  | { type: "hello"; commands: readonly DeviceCommand[] }
  | { type: "result"; id: string; ok: boolean; value?: unknown; error?: string | undefined }
  | { type: "progress"; id: string; message: string };

/** What a device is told. */
export type ToDevice =
  | { type: "invoke"; id: string; command: string; arguments: JsonObject; timeoutMs: number }
  | { type: "cancel"; id: string };

/** A message of a device's, or in a few words why it is none. */
export function readFrame(said: unknown): { frame: FromDevice } | { why: string } {
  const { value, faults } = readInput(FROM_DEVICE, said);
  if (faults !== null) return { why: `${faults[0]?.path ?? ""}: ${faults[0]?.message ?? "is not valid"}` };
  if (value.type !== "hello") return { frame: value };
  const commands = value.commands.map(({ parameters = null, ...command }) => ({ ...command, parameters }));
  return { frame: { type: "hello", commands } };
}
