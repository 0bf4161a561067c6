import { spawnProgram } from "../../spawn-program.ts";
import { PROCESS_IDLE_MS_MAX } from "../programs/bounds.ts";
import { ProgramPool } from "../programs/program-pool.ts";
import { ProgramProcess, type JobProgram, type NotDone } from "../programs/program-process.ts";
import { DRAW_HEAP_MIB_MAX, DRAW_MS_MAX, DRAW_WASM_PAGES_MAX, DRAWN_BYTES_MAX } from "./bounds.ts";
import { encodeDrawing, parseDrawn, type DrawingJob } from "./drawing-frames.ts";

/** A picture, or why there is none. */
export type DrawingAnswer =
  /** `notLoaded`: addresses of which something was wanted. */
  | { outcome: "drawn"; bytes: Uint8Array; width: number; height: number; notLoaded: readonly string[] }
  | { outcome: "refused"; code: "invalid_request" | "capability_limit" | "failed"; why: string };
/** `absent`: this machine can't have a browser, or not now. */
export type Drawing = DrawingAnswer | NotDone | { outcome: "absent"; why: string };

const PACKAGES = ["@resvg/resvg-wasm", "dejavu-fonts-ttf/package.json", "htmlparser2"] as const;

/** Draws SVG by resvg, in other processes. */
export class SvgDrawer extends ProgramPool<DrawingJob, DrawingAnswer> {
  constructor(idleMs: number = PROCESS_IDLE_MS_MAX, drawMs: number = DRAW_MS_MAX) {
    const drawing: JobProgram<DrawingJob, DrawingAnswer> = {
      spawn: spawnDrawing,
      encode: encodeDrawing,
      parse: answerOf,
      overBound: { outcome: "refused", code: "capability_limit", why: "it is too large" },
      answerBytesMax: DRAWN_BYTES_MAX,
      jobMsMax: drawMs,
    };
    super((onGone) => new ProgramProcess(drawing, onGone), idleMs);
  }
}

const spawnDrawing = () =>
  spawnProgram({
    entry: new URL("./drawing-program.ts", import.meta.url),
    packages: PACKAGES.map((name) => import.meta.resolve(name)),
    flags: ["--allow-worker", `--wasm-max-mem-pages=${DRAW_WASM_PAGES_MAX}`],
    heapMibMax: DRAW_HEAP_MIB_MAX,
  });

function answerOf(text: string): "ready" | DrawingAnswer {
  const message = parseDrawn(text);
  if (message.type === "ready") return "ready";
  if (message.type === "refused") return { outcome: "refused", code: message.code, why: message.why };
  const { base64, width, height } = message;
  return { outcome: "drawn", bytes: Buffer.from(base64, "base64"), width, height, notLoaded: [] };
}
