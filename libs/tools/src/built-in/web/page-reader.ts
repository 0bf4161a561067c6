import { ANSWER_FRAME_BYTES_MAX, READ_MS_MAX } from "./bounds.ts";
import { PROCESS_IDLE_MS_MAX } from "../programs/bounds.ts";
import { ProgramPool } from "../programs/program-pool.ts";
import { ProgramProcess, type JobProgram, type NotDone } from "../programs/program-process.ts";
import { encodeJob, parseFromProcess, type UnreadableWhy } from "./page-frames.ts";
import type { Page } from "./read-html.ts";
import type { PageJob } from "./read-page.ts";
import { spawnPageProcess, type PageProgram } from "./spawn-page-process.ts";

/** A page is null where it is no text, and `unreadable` where no text can be made of it. */
type PageAnswer =
  | { outcome: "read"; page: Page | null }
  | { outcome: "unreadable"; why?: UnreadableWhy | undefined };
export type Reading = PageAnswer | NotDone;

/** Reads pages in other processes. */
export class PageReader extends ProgramPool<PageJob, PageAnswer> {
  constructor(
    idleMs: number = PROCESS_IDLE_MS_MAX,
    readMs: number = READ_MS_MAX,
    program: PageProgram = "page",
  ) {
    const reading: JobProgram<PageJob, PageAnswer> = {
      spawn: () => spawnPageProcess(program),
      encode: encodeJob,
      parse: answerOf,
      overBound: { outcome: "unreadable" },
      answerBytesMax: ANSWER_FRAME_BYTES_MAX,
      jobMsMax: readMs,
    };
    super((onGone) => new ProgramProcess(reading, onGone), idleMs);
  }
}

function answerOf(text: string): "ready" | PageAnswer {
  const message = parseFromProcess(text);
  if (message.type === "ready") return "ready";
  return message.type === "read"
    ? { outcome: "read", page: message.page }
    : { outcome: "unreadable", why: message.why };
}
