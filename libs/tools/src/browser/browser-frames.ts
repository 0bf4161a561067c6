import type { EgressPart } from "@bulkhead/core";
import { encodeFrame, WireError } from "@bulkhead/sandbox/wire";
import { z } from "zod";
import { actionFailed, actionNotes, actionResult, type BrowserAction } from "./actions.ts";
import { drawing, type DrawAction } from "./draw-action.ts";
import {
  HEADER_CHARS_MAX,
  HEADERS_MAX,
  TO_DRIVER_BYTES_MAX,
  UPLOAD_BYTES_MAX,
  URL_CHARS_MAX,
} from "./bounds.ts";

const id = z.int().min(1);
const text = z.string().max(HEADER_CHARS_MAX);

const fromDriver = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("ready"), version: z.string().max(100) }),
  z.strictObject({
    type: z.literal("request"),
    id,
    method: z.string().max(32),
    url: z.string().max(URL_CHARS_MAX),
    headers: z.array(z.tuple([text, text])).max(HEADERS_MAX),
    /** Base64. */
    body: z
      .string()
      .max(Math.ceil(UPLOAD_BYTES_MAX / 3) * 4)
      .nullable(),
  }),
  /** The next part of an answer is wanted; one is asked for at a time. */
  z.strictObject({ type: z.literal("more"), id }),
  /** Nobody waits for the answer any more. */
  z.strictObject({ type: z.literal("drop"), id }),
  z.strictObject({ type: z.literal("done"), result: actionResult, notes: actionNotes }),
  z.strictObject({ type: z.literal("drawn"), ...drawing.shape }),
  z.strictObject({ type: z.literal("failed"), ...actionFailed.shape, notes: actionNotes }),
]);
export type FromDriver = z.infer<typeof fromDriver>;
export type PageRequest = Extract<FromDriver, { type: "request" }>;

export type ToDriver =
  /** The certificate and its key are for the tunnels of this one browser. */
  | { type: "start"; port: number; chromium: string; key: string; cert: string }
  | { type: "act"; action: BrowserAction; timeoutMs: number }
  /** In a context of its own, which reaches nothing. */
  | { type: "draw"; drawing: DrawAction; timeoutMs: number }
  | ({
      type: "answer";
      id: number;
      status: number;
      statusText: string;
      headers: [string, string][];
    } & EgressPart)
  | ({ type: "part"; id: number } & EgressPart)
  /** There is no answer, or no more of it. */
  | { type: "refused"; id: number; message: string };

/** Throws a WireError over the bound. */
export const encodeToDriver = (message: ToDriver): Buffer => encodeFrame(message, TO_DRIVER_BYTES_MAX);

/** Throws a WireError for a message that no honest driver sends. */
export function parseFromDriver(frame: string): FromDriver {
  try {
    return fromDriver.parse(JSON.parse(frame));
  } catch (cause) {
    throw new WireError("a message of a browser's driver breaks the wire", { cause });
  }
}
