import { z } from "zod";
import { PICTURE_BYTES_MAX, SIDE_MAX } from "../built-in/canvas/bounds.ts";
import type { SizeAsked } from "../built-in/canvas/prepare-svg.ts";
import type { ActionFailure } from "./actions.ts";
import { TOLD_CHARS_MAX, TOLD_MAX } from "./bounds.ts";

/** A picture that a browser is to draw; all of it is untrusted. */
export interface DrawAction extends SizeAsked {
  kind: "svg" | "html";
  source: string;
  /** A colour of CSS; null: none behind an SVG, white behind a page. */
  background: string | null;
  format: "png" | "jpeg";
}

const side = z.int().min(1).max(SIDE_MAX);

/** What was drawn, as a driver says it. */
export const drawing = z.strictObject({
  base64: z.base64().max(Math.ceil(PICTURE_BYTES_MAX / 3) * 4),
  width: side,
  height: side,
  /** Addresses that it wanted something from, the first few of them. */
  notLoaded: z.array(z.string().max(TOLD_CHARS_MAX)).max(TOLD_MAX),
});
export type BrowserDrawing = z.infer<typeof drawing>;

export type DrawOutcome =
  | { ok: true; drawing: BrowserDrawing }
  | { ok: false; code: ActionFailure; message: string };
