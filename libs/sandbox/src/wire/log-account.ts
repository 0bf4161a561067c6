import {
  LOG_CUT_OFF_BYTES_MAX,
  LOG_LINE_BYTES_MAX,
  LOG_LINE_OVERHEAD_BYTES,
  LOG_LINES_MAX,
} from "./bounds.ts";

/** Counts a guest's output from outside: a guest that exceeds its own account was tampered with. */
export class LogAccount {
  #bytesLeft: number;
  /** The warning is one line more. */
  #linesLeft = LOG_LINES_MAX + 1;

  constructor(logBytes: number) {
    this.#bytesLeft = logBytes + LOG_CUT_OFF_BYTES_MAX;
  }

  /** Whether the guest may say this. */
  admits(kind: "log" | "progress", text: string): boolean {
    const bytes = Buffer.byteLength(text);
    this.#bytesLeft -= bytes + LOG_LINE_OVERHEAD_BYTES;
    this.#linesLeft -= 1;
    const fits = kind === "progress" || bytes <= LOG_LINE_BYTES_MAX;
    return fits && this.#bytesLeft >= 0 && this.#linesLeft >= 0;
  }
}
