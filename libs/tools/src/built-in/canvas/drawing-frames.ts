import { encodeFrame, WireError } from "@bulkhead/sandbox/wire";
import { z } from "zod";
import { DRAW_JOB_BYTES_MAX, PIXELS_MAX, WHY_CHARS_MAX } from "./bounds.ts";
import type { SizeAsked } from "./prepare-svg.ts";

/** A picture that is to be drawn; all of it is untrusted. */
export interface DrawingJob extends SizeAsked {
  svg: string;
  /** A colour of CSS; null: nothing, so that one sees through. */
  background: string | null;
}

const side = z.int().min(1).max(PIXELS_MAX);
const fromProcess = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("drawn"), base64: z.base64(), width: side, height: side }),
  z.object({
    type: z.literal("refused"),
    code: z.enum(["invalid_request", "capability_limit"]),
    why: z.string().max(WHY_CHARS_MAX),
  }),
]);

/** The messages of a process that draws: once that it is ready, then one answer to each picture. */
export type FromDrawingProcess = z.infer<typeof fromProcess>;

/** Throws a WireError over `DRAW_JOB_BYTES_MAX`. */
export const encodeDrawing = (job: DrawingJob): Buffer => encodeFrame(job, DRAW_JOB_BYTES_MAX);

/** Throws a WireError for a message that no honest process sends. */
export function parseDrawn(text: string): FromDrawingProcess {
  try {
    return fromProcess.parse(JSON.parse(text));
  } catch (cause) {
    throw new WireError("a frame of a process that draws breaks the wire", { cause });
  }
}
