import type { Json, LogLevel, Scrubber, ScrubbedLine, ScrubLines } from "@bulkhead/domain";
import { CUT_MARK } from "@bulkhead/wire/sandbox";
import type { AttemptLog, Said } from "../attempt-log.ts";

/** For how long a line may wait that ends in what could go on as a secret. Milliseconds. */
const LINE_HELD_MS = 250;

/** A line takes the next text that the stream of lines lets out. */
type Waiting = { said: Said } | { level: LogLevel; mark: string };

/**
 * What a run says of itself, with what is secret covered. Its lines are one stream, since a secret may go on from line to
 * line; what is said behind a line that waits, waits too, so that everything is told in order.
 */
export class CoveredLog {
  readonly #log: Pick<AttemptLog, "say">;
  readonly #scrubber: Pick<Scrubber, "json" | "lines">;
  /** Null until there is a line: most runs write none, and opening it costs. */
  #lines: ScrubLines | null = null;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Pick<AttemptLog, "say">, scrubber: Pick<Scrubber, "json" | "lines">) {
    this.#log = log;
    this.#scrubber = scrubber;
  }

  line(level: LogLevel, text: string): void {
    const lines = (this.#lines ??= this.#scrubber.lines());
    const isCut = text.endsWith(CUT_MARK);
    this.#waiting.push({ level, mark: isCut ? CUT_MARK : "" });
    this.#tell(lines.push(isCut ? text.slice(0, -CUT_MARK.length) : text));
    // The rest of a secret that was cut off will never come.
    if (isCut) this.#tell(lines.settle());
  }

  progress(json: string): void {
    const value = JSON.parse(this.#scrubber.json(json)) as Json;
    this.#waiting.push({ said: { type: "execution.progress", value } });
    this.#tell([]);
  }

  /** Tells all that waits; nothing is said after it. */
  end(): void {
    this.#tell(this.#lines?.end() ?? []);
  }

  #tell(decided: readonly ScrubbedLine[]): void {
    const texts = decided.map(({ text }) => text);
    let told = 0;
    for (const next of this.#waiting) {
      const said = complete(next, texts);
      if (said === null) break;
      told += 1;
      this.#log.say(said);
    }
    this.#waiting.splice(0, told);
    this.#arm(told > 0);
  }

  /** The clock runs for the line in front. */
  #arm(isNewFront: boolean): void {
    if (isNewFront) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    if (this.#waiting.length > 0)
      this.#timer ??= setTimeout(() => this.#tell(this.#lines?.settle() ?? []), LINE_HELD_MS);
  }
}

/** What is told of it; null while its text is not decided. */
function complete(next: Waiting, texts: string[]): Said | null {
  if ("said" in next) return next.said;
  const text = texts.shift();
  return text === undefined ? null : { type: "execution.log", level: next.level, text: text + next.mark };
}
