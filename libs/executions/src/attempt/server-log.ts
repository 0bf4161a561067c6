import type { LogLine } from "@bulkhead/core";
import { CUT_MARK, LOG_LINE_BYTES_MAX, LOG_LINE_OVERHEAD_BYTES, LOG_LINES_MAX } from "@bulkhead/sandbox/wire";
import type { Cover } from "../secrets/cover.ts";

const LINE_TEXT_BYTES_MAX = LOG_LINE_BYTES_MAX - Buffer.byteLength(CUT_MARK);

/**
 * Takes down what a server says while its tool runs, within the bounds that a run in a sandbox has: what is over them is cut
 * off with one warning.
 */
export class ServerLog {
  readonly #cover: Pick<Cover, "lines" | "progress">;
  #bytesLeft: number;
  #linesLeft = LOG_LINES_MAX;
  #isCutOff = false;

  constructor(cover: Pick<Cover, "lines" | "progress">, logBytes: number) {
    this.#cover = cover;
    this.#bytesLeft = logBytes;
  }

  lines(lines: readonly LogLine[]): void {
    const told: LogLine[] = [];
    for (const { level, text } of lines) {
      const line = cutLine(text);
      if (this.#spend(line)) told.push({ level, text: line });
    }
    if (told.length > 0) this.#cover.lines(told);
    this.#warn();
  }

  progress(json: string): void {
    if (this.#spend(json)) this.#cover.progress(json);
    this.#warn();
  }

  /** False once something did not fit. */
  #spend(text: string): boolean {
    const bytes = Buffer.byteLength(text) + LOG_LINE_OVERHEAD_BYTES;
    if (this.#linesLeft < 1 || bytes > this.#bytesLeft) {
      this.#linesLeft = 0;
      return false;
    }
    this.#bytesLeft -= bytes;
    this.#linesLeft -= 1;
    return true;
  }

  #warn(): void {
    if (this.#isCutOff || this.#linesLeft > 0) return;
    this.#isCutOff = true;
    this.#cover.lines([{ level: "warn", text: CUT_OFF }]);
  }
}

const CUT_OFF =
  "The log limit (limits.logBytes, or 10,000 lines and emitted values of a run) is reached; the rest of what the server says is cut off.";

function cutLine(text: string): string {
  if (Buffer.byteLength(text) <= LOG_LINE_BYTES_MAX) return text;
  const start = Buffer.from(text.slice(0, LINE_TEXT_BYTES_MAX)).subarray(0, LINE_TEXT_BYTES_MAX);
  // A character that was cut in two ends it.
  return start.toString().replace(/\uFFFD$/, "") + CUT_MARK;
}
