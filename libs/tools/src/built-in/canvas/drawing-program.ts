import { encodeFrame, FrameDecoder } from "@bulkhead/sandbox/wire";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { watchJobs } from "../programs/watch.ts";
import {
  DRAW_ALONE_MS_MAX,
  DRAW_JOB_BYTES_MAX,
  DRAW_MEMORY_BYTES_MAX,
  DRAWN_BYTES_MAX,
  PICTURE_BYTES_MAX,
  WHY_CHARS_MAX,
} from "./bounds.ts";
import type { DrawingJob, FromDrawingProcess } from "./drawing-frames.ts";
import { FAMILY_DEFAULT, readFonts, withKnownFamilies } from "./fonts.ts";
import { NotDrawable, prepareSvg } from "./prepare-svg.ts";

// The program of a process of its own: an SVG in, a PNG out, one at a time, drawn within WebAssembly, which has no files and no
// network. The worker ends it when one takes too long; its own thread does where it takes too much memory, or nobody is left.

const say = (message: FromDrawingProcess): void => {
  process.stdout.write(encodeFrame(message, DRAWN_BYTES_MAX));
};

const busy = await watchJobs({ jobMsMax: DRAW_ALONE_MS_MAX, memoryBytesMax: DRAW_MEMORY_BYTES_MAX });
await initWasm(readFileSync(fileURLToPath(import.meta.resolve("@resvg/resvg-wasm/index_bg.wasm"))));
const fonts = readFonts();

function draw({ svg: source, background, ...size }: DrawingJob): FromDrawingProcess {
  const { svg, hasText, hasHtml } = prepareSvg(source, size);
  if (hasHtml)
    throw new NotDrawable(
      "invalid_request",
      "it has a foreignObject, which only a browser draws, and this worker has none: use text elements",
    );
  const resvg = new Resvg(hasText ? withKnownFamilies(svg) : svg, {
    font: { fontBuffers: hasText ? fonts : [], defaultFontFamily: FAMILY_DEFAULT },
    fitTo: { mode: "zoom", value: size.scale },
    ...(background !== null && { background }),
  });
  const image = resvg.render();
  const png = image.asPng();
  const { width, height } = image;
  image.free();
  resvg.free();
  if (png.length > PICTURE_BYTES_MAX)
    throw new NotDrawable(
      "capability_limit",
      `the picture has ${png.length} bytes, and ${PICTURE_BYTES_MAX} is the most: draw it smaller`,
    );
  return { type: "drawn", base64: Buffer.from(png).toString("base64"), width, height };
}

/** What the renderer says, and what that means to who asked. */
const SAID: readonly (readonly [RegExp, string])[] = [
  [/^SVG data parsing failed cause /, "it is no SVG: "],
  [/^invalid value$/, "background is no colour that is known here"],
];
const inWords = (said: string): string =>
  SAID.reduce((words, [pattern, meaning]) => words.replace(pattern, meaning), said).slice(0, WHY_CHARS_MAX);

function answer(job: DrawingJob): FromDrawingProcess {
  try {
    return draw(job);
  } catch (error) {
    // A trap, or too deep a stack, has left WebAssembly's memory in the midst of its work: this process draws nothing more.
    if (!(error instanceof Error) || error.name !== "Error") process.exit(1);
    const { code } = error instanceof NotDrawable ? error : { code: "invalid_request" as const };
    return { type: "refused", code, why: inWords(error.message) };
  }
}

const decoder = new FrameDecoder(DRAW_JOB_BYTES_MAX);
process.stdin.on("data", (chunk: Buffer) => {
  for (const text of decoder.push(chunk)) {
    busy(true);
    say(answer(JSON.parse(text) as DrawingJob));
    busy(false);
  }
});
process.stdin.on("end", () => process.exit(0));
// Everything is loaded: from here on no file can be read.
(process.permission as { drop?: (scope: string) => void } | undefined)?.drop?.("fs.read");
say({ type: "ready" });
