import { z } from "zod";
import {
  BODY_CHARS_MAX,
  HEADER_NAME_CHARS_MAX,
  HEADER_VALUE_CHARS_MAX,
  HEADERS_MAX,
  MESSAGE_CHARS_MAX,
  URL_CHARS_MAX,
} from "./bounds.ts";

const headers = z
  .array(z.tuple([z.string().max(HEADER_NAME_CHARS_MAX), z.string().max(HEADER_VALUE_CHARS_MAX)]))
  .max(HEADERS_MAX);
const bodyEncoding = z.enum(["utf8", "base64"]);

/** Why a request has no response. */
export const REFUSALS = [
  "egress_denied",
  "network_limit",
  "invalid_request",
  "failed",
  "timeout",
  "aborted",
] as const;
export const refusal = z.enum(REFUSALS);
export type Refusal = z.output<typeof refusal>;

/** What the tool asked `fetch` for; nothing of it is checked yet. */
export const fetchRequest = z.strictObject({
  url: z.string().max(URL_CHARS_MAX),
  method: z.string().max(32),
  headers,
  body: z.string().max(BODY_CHARS_MAX).nullable(),
  bodyEncoding,
  redirect: z.enum(["follow", "error", "manual"]),
});
export type FetchRequest = z.output<typeof fetchRequest>;

export const fetchAnswer = z.discriminatedUnion("ok", [
  z.strictObject({
    ok: z.literal(true),
    status: z.int().min(0).max(999),
    statusText: z.string().max(HEADER_VALUE_CHARS_MAX),
    headers,
    url: z.string().max(URL_CHARS_MAX),
    redirected: z.boolean(),
    body: z.string().max(BODY_CHARS_MAX),
    bodyEncoding,
  }),
  z.strictObject({ ok: z.literal(false), code: refusal, message: z.string().max(MESSAGE_CHARS_MAX) }),
]);
export type FetchAnswer = z.output<typeof fetchAnswer>;
