import { encodeFrame, FrameDecoder } from "@bulkhead/sandbox/wire";
import {
  ANSWER_FRAME_BYTES_MAX,
  JOB_FRAME_BYTES_MAX,
  PDF_MEMORY_BYTES_MAX,
  PDF_READ_ALONE_MS_MAX,
} from "./bounds.ts";
import { watchJobs } from "../programs/watch.ts";
import type { FromPageProcess, UnreadableWhy } from "./page-frames.ts";
import { readPdf } from "./read-pdf.ts";

// The program of a process of its own: a PDF in, its text out, one at a time. The worker ends it when one takes too long; its
// own thread does where it takes too much memory, or nobody is left.

interface Job {
  base64: string;
  textCharsMax: number;
}

const FAULTS: Readonly<Record<string, UnreadableWhy>> = {
  PasswordException: "encrypted",
  InvalidPDFException: "broken",
  FormatError: "broken",
  UnknownErrorException: "broken",
};

const say = (message: FromPageProcess): void => {
  process.stdout.write(encodeFrame(message, ANSWER_FRAME_BYTES_MAX));
};

const busy = await watchJobs({ jobMsMax: PDF_READ_ALONE_MS_MAX, memoryBytesMax: PDF_MEMORY_BYTES_MAX });

async function answer({ base64, textCharsMax }: Job): Promise<void> {
  busy(true);
  try {
    say({ type: "read", page: await readPdf(new Uint8Array(Buffer.from(base64, "base64")), textCharsMax) });
  } catch (error) {
    const why = error instanceof Error ? FAULTS[error.name] : undefined;
    say({ type: "unreadable", ...(why !== undefined && { why }) });
  }
  busy(false);
}

const decoder = new FrameDecoder(JOB_FRAME_BYTES_MAX);
process.stdin.on("data", (chunk: Buffer) => {
  for (const text of decoder.push(chunk)) void answer(JSON.parse(text) as Job);
});
process.stdin.on("end", () => process.exit(0));
// Everything is loaded: from here on no file can be read.
(process.permission as { drop?: (scope: string) => void } | undefined)?.drop?.("fs.read");
say({ type: "ready" });
