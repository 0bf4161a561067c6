import {
  LARGE_JSON_CHARS,
  readJson,
  type Clock,
  type LogLine,
  type Scrubber,
  type ScrubbedLine,
  type ScrubLines,
} from "@bulkhead/core";
import { CUT_MARK } from "@bulkhead/sandbox/wire";
import type { AttemptLog, Said, SaidAt } from "../attempt/attempt-log.ts";
import type { Report } from "../end/report.ts";
import type { RunSecrets } from "./open-secrets.ts";

/** For how long a line may wait for what could make a secret of its end. Milliseconds. */
const LINE_HELD_MS = 250;
/**
 * So long before the run's deadline nothing waits any more: whoever ends it then hears nothing that comes later.
 * Milliseconds.
 */
const LAST_WORDS_MS = 50;

/** A thing that is to be told; nothing behind it is told before it. */
interface Waiting {
  at: Date;
  /** Null until the stream of lines lets its text out. */
  said: Said | null;
  isLine: boolean;
  /** When it has waited long enough, by this process's monotonic clock; never where it is being covered elsewhere. */
  until: number;
}

export interface CoveredLogDeps {
  log: Pick<AttemptLog, "sayAll">;
  scrubber: Pick<Scrubber, "json" | "document" | "lines">;
  tenantId: string;
  secrets: Pick<RunSecrets, "keepsUntold">;
  report: Report;
  clock: Clock;
  deadlineAt: Date;
}

/**
 * Takes down what a run says of itself and covers its secrets. Its lines are one stream, since a secret may go on from line to
 * line; what is said behind a line that waits, waits too, so that everything is told in order, with the time at which it
 * was said. While there is a value that the run's code was not told all lines wait for the same moment, whatever they say:
 * from which of them wait, or are cut off from what follows, code could else read how that value begins.
 */
export class CoveredLog {
  readonly #deps: CoveredLogDeps;
  /** By this process's monotonic clock. */
  readonly #lastWords: number;
  /** Null until there is a line: most runs write none, and opening it costs. */
  #lines: ScrubLines | null = null;
  #waiting: Waiting[] = [];
  /** Takes the text of each line that waits for it, in their order. */
  #takers: ((text: string) => void)[] = [];
  /** Large values that are covered elsewhere, one after another: one run's never crowd out all others of its tenant. */
  #covering: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: CoveredLogDeps) {
    this.#deps = deps;
    const msLeft = deps.deadlineAt.getTime() - deps.clock().getTime();
    this.#lastWords = performance.now() + msLeft - LAST_WORDS_MS;
  }

  /** Takes lines of one moment. */
  lines(lines: readonly LogLine[]): void {
    const stream = (this.#lines ??= this.#deps.scrubber.lines());
    const at = this.#deps.clock();
    let whole: string[] = [];
    for (const { level, text } of lines) {
      const isCut = text.endsWith(CUT_MARK);
      const mark = isCut ? CUT_MARK : "";
      const line = this.#wait(null, at);
      this.#takers.push((covered) => (line.said = { type: "execution.log", level, text: covered + mark }));
      whole.push(isCut ? text.slice(0, -CUT_MARK.length) : text);
      if (!isCut) continue;
      this.#take(stream.push(...whole));
      // The rest of a secret that was cut off will never come.
      this.#take(stream.settle());
      whole = [];
    }
    if (whole.length > 0) this.#take(stream.push(...whole));
    this.#tell();
  }

  progress(json: string): void {
    const at = this.#deps.clock();
    if (json.length > LARGE_JSON_CHARS) this.#covering = this.#coverLarge(json, at, this.#covering);
    else this.#wait({ type: "execution.progress", value: readJson(this.#deps.scrubber.json(json)) }, at);
    this.#tell();
  }

  /** Tells all that waits; nothing is said after it. */
  async end(): Promise<void> {
    if (this.#covering) await this.#covering;
    this.#take(this.#lines?.end() ?? []);
    this.#tell(true);
  }

  /** Covers it elsewhere; whatever is said meanwhile waits behind it. Never rejects. */
  async #coverLarge(json: string, at: Date, before: Promise<void> | null): Promise<void> {
    const waiting = this.#wait(null, at);
    waiting.isLine = false;
    waiting.until = Infinity;
    const { scrubber, tenantId, report } = this.#deps;
    await before;
    try {
      const covered = await scrubber.document(tenantId, json);
      waiting.said = covered
        ? { type: "execution.progress", value: readJson(covered.json) }
        : leftOut(json, "it is no JSON");
    } catch (error) {
      report("covering a large value failed", error);
      waiting.said = leftOut(json, "it could not be searched for secrets in time");
    }
    this.#tell();
  }

  #wait(said: Said | null, at: Date): Waiting {
    const until = Math.min(performance.now() + LINE_HELD_MS, this.#lastWords);
    const waiting = { at, said, isLine: said === null, until };
    this.#waiting.push(waiting);
    return waiting;
  }

  #take(decided: readonly ScrubbedLine[]): void {
    const takers = this.#takers.splice(0, decided.length);
    for (const [i, take] of takers.entries()) take(decided[i]!.text);
  }

  #tell(isDue = false): void {
    const waitsAlike = !isDue && this.#deps.secrets.keepsUntold();
    const told: SaidAt[] = [];
    for (const { said, at, isLine } of this.#waiting) {
      if (said === null || (isLine && waitsAlike)) break;
      told.push({ said, at });
    }
    this.#waiting.splice(0, told.length);
    if (told.length > 0) this.#deps.log.sayAll(told);
    this.#arm(told.length > 0);
  }

  /** The clock runs for what is in front. */
  #arm(isNewFront: boolean): void {
    if (isNewFront) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    const front = this.#waiting[0];
    if (front && front.until < Infinity)
      this.#timer ??= setTimeout(() => this.#goOn(), Math.ceil(front.until - performance.now()));
  }

  /** Tells what is in front, which has waited long enough, and all behind it. */
  #goOn(): void {
    this.#timer = undefined;
    this.#take(this.#lines?.settle() ?? []);
    this.#tell(true);
  }
}

const leftOut = (json: string, why: string): Said => ({
  type: "execution.log",
  level: "warn",
  text: `An emitted value of ${json.length} characters was left out: ${why}.`,
});
