import { z } from "zod";
import {
  CAPABILITY_NAME_CHARS_MAX,
  CONFIG_NAME_CHARS_MAX,
  EFFECT_HEAD_CHARS_MAX,
  HEADER_NAME_CHARS_MAX,
  HEADER_VALUE_CHARS_MAX,
  HEADERS_MAX,
  TOOL_NAME_CHARS_MAX,
  URL_CHARS_MAX,
} from "./bounds.ts";
import type { EffectFrame } from "./from-sandbox.ts";

const headers = z
  .array(z.tuple([z.string().max(HEADER_NAME_CHARS_MAX), z.string().max(HEADER_VALUE_CHARS_MAX)]))
  .max(HEADERS_MAX);
const configName = z.string().max(CONFIG_NAME_CHARS_MAX);
const capabilityName = z.string().max(CAPABILITY_NAME_CHARS_MAX);
const bodyId = z.int().min(1).max(1_000_000_000);

/** A tool's requests to the worker, without their body; none of it is checked yet. */
const effectHead = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("fetch"),
    url: z.string().max(URL_CHARS_MAX),
    method: z.string().max(32),
    headers,
    redirect: z.enum(["follow", "error", "manual"]),
  }),
  /** The next part of a response's body; its id is the fetch's request id. */
  z.strictObject({ kind: z.literal("read_body"), bodyId }),
  /** Another tool of the tenant, or a built-in one; the body holds its arguments as JSON. */
  z.strictObject({ kind: z.literal("call_tool"), name: z.string().max(TOOL_NAME_CHARS_MAX) }),
  z.strictObject({ kind: z.literal("list_tools") }),
  /** A signature over the body with a secret of a service. */
  z.strictObject({
    kind: z.literal("hmac"),
    service: configName,
    entry: configName.nullable(),
    field: configName.nullable(),
    algorithm: z.enum(["sha256", "sha1", "sha512"]),
    encoding: z.enum(["hex", "base64", "base64url"]),
  }),
  /** An operation of a family; the body holds what it writes, as text or bytes. */
  z.strictObject({
    kind: z.literal("capability"),
    family: capabilityName,
    operation: capabilityName,
    argumentsJson: z.string().max(EFFECT_HEAD_CHARS_MAX),
  }),
]);
export type EffectHead = z.output<typeof effectHead>;

/** Null for a request that no sound guest makes, or that is over a bound; the tool hears of it like of any bad request. */
export function readEffectHead({ head }: Pick<EffectFrame, "head">): EffectHead | null {
  if (head.length > EFFECT_HEAD_CHARS_MAX) return null;
  try {
    const parsed = effectHead.safeParse(JSON.parse(head));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
