import { DEVICE_REFUSALS, type DeviceMessage, type JsonObject } from "@bulkhead/core";
import { z } from "zod";

const device = z.object({ tenantId: z.string(), deviceId: z.string() });
const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const MESSAGE = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("invoke"),
    from: z.string(),
    id: z.string(),
    connection: z.string(),
    command: z.string(),
    arguments: z.custom<JsonObject>(isObject),
    timeoutMs: z.number(),
  }),
  z.object({ type: z.literal("cancel"), from: z.string(), id: z.string() }),
  z.object({
    type: z.literal("close"),
    device,
    connection: z.string().nullable(),
    why: z.enum(["replaced", "removed"]),
  }),
  z.object({ type: z.literal("progress"), id: z.string(), message: z.string() }),
  z.object({
    type: z.literal("answer"),
    id: z.string(),
    answer: z.discriminatedUnion("ok", [
      z.object({ ok: z.literal(true), valueJson: z.string() }),
      z.object({ ok: z.literal(false), code: z.enum(DEVICE_REFUSALS), message: z.string() }),
    ]),
  }),
]) satisfies z.ZodType<DeviceMessage>;

/** Null for a text that is no message about devices, as a process of another version may send it. */
export function readDeviceMessage(text: string): DeviceMessage | null {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return null;
  }
  const read = MESSAGE.safeParse(said);
  return read.success ? read.data : null;
}
