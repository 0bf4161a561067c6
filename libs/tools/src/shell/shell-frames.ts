import { FILE_PATH_BYTES_MAX } from "@bulkhead/core";
import { encodeFrame, WireError } from "@bulkhead/sandbox/wire";
import { z } from "zod";
import {
  CHANGED_FILES_MAX,
  OUTPUT_PIECE_CHARS_MAX,
  SHELL_FRAME_BYTES_MAX,
  UNSAVED_MAX,
} from "../built-in/shell/bounds.ts";

const path = z.string().min(1).max(FILE_PATH_BYTES_MAX);

/** The messages of a shell's process: that it is ready, what it wants to read, what it says, what it leaves. */
const fromShell = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("ready") }),
  z.strictObject({ type: z.literal("read"), id: z.int().min(1), path }),
  z.strictObject({
    type: z.literal("output"),
    from: z.enum(["stdout", "stderr"]),
    text: z.string().max(OUTPUT_PIECE_CHARS_MAX),
  }),
  z.strictObject({ type: z.literal("cut") }),
  z.strictObject({
    type: z.literal("wrote"),
    path: z.string().max(4 * FILE_PATH_BYTES_MAX),
    base64: z.string(),
  }),
  z.strictObject({
    type: z.literal("done"),
    exitCode: z.int(),
    removed: z.array(path).max(CHANGED_FILES_MAX),
    odd: z.array(z.string().max(4 * FILE_PATH_BYTES_MAX)).max(UNSAVED_MAX),
    /** What it would have taken to send all changes, of which none were sent then; null: all were. */
    exceeded: z.enum(["files", "bytes", "reading"]).nullable(),
  }),
]);
export type FromShell = z.infer<typeof fromShell>;

/** A file as a shell's process is told of it: its path, its size, when it was written (milliseconds). */
export type ListedFile = [path: string, size: number, writtenAtMs: number];

export type ToShell =
  | {
      type: "run";
      command: string;
      /** From the root of the workspace; empty: the root. */
      cwd: string;
      env: Readonly<Record<string, string>>;
      stdin: string;
      /** More of it may come while the command runs. */
      keepsInput: boolean;
      files: readonly ListedFile[];
      bounds: {
        outputBytes: number;
        pieceChars: number;
        changedFiles: number;
        writtenBytes: number;
        unsaved: number;
        frameBytes: number;
      };
    }
  /** Null: it can't be had any more. */
  | { type: "bytes"; id: number; base64: string | null }
  /** More of the standard input; null: its end. */
  | { type: "input"; text: string | null }
  | { type: "stop" };

/** Throws a WireError over the bound. */
export const encodeToShell = (message: ToShell): Buffer => encodeFrame(message, SHELL_FRAME_BYTES_MAX);

/** Throws a WireError for a message that no honest process sends. */
export function parseFromShell(text: string): FromShell {
  try {
    return fromShell.parse(JSON.parse(text));
  } catch (cause) {
    throw new WireError("a frame of a shell's process breaks the wire", { cause });
  }
}
