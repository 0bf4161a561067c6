import { encodeFrame, FrameDecoder } from "@bulkhead/sandbox/wire";
import { Script } from "node:vm";
import { ANSWER_FRAME_BYTES_MAX, JOB_FRAME_BYTES_MAX, READ_ALONE_MS_MAX } from "./bounds.ts";
import type { FromPageProcess } from "./page-frames.ts";
import { readPage, type PageJob } from "./read-page.ts";

// The program of a process of its own: a page in, its readable text out. The worker ends it when a page takes too long or
// too much memory; it ends itself when its standard input ends, since then nobody needs the answer.

/** Calls a function of this program's and throws once its time is over: a parent that died ends no page any more. */
const BOUNDED = new Script("bulkheadRead()");
const OVERRAN = "ERR_SCRIPT_EXECUTION_TIMEOUT";

type Job = Omit<PageJob, "bytes"> & { base64: string };

const say = (message: FromPageProcess): void => {
  process.stdout.write(encodeFrame(message, ANSWER_FRAME_BYTES_MAX));
};

function answer({ base64, ...job }: Job): FromPageProcess {
  let read: FromPageProcess = { type: "unreadable" };
  Reflect.set(globalThis, "bulkheadRead", () => {
    read = { type: "read", page: readPage({ ...job, bytes: Buffer.from(base64, "base64") }) };
  });
  try {
    BOUNDED.runInThisContext({ timeout: READ_ALONE_MS_MAX });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === OVERRAN) process.exit(1);
    return { type: "unreadable" };
  }
  return read;
}

const decoder = new FrameDecoder(JOB_FRAME_BYTES_MAX);
process.stdin.on("data", (chunk: Buffer) => {
  for (const text of decoder.push(chunk)) say(answer(JSON.parse(text) as Job));
});
process.stdin.on("end", () => process.exit(0));
// Everything is loaded: from here on no file can be read.
(process.permission as { drop?: (scope: string) => void } | undefined)?.drop?.("fs.read");
say({ type: "ready" });
