import type { Clock, Json, LogLevel, Scrubber, ScrubbedLine, ScrubLines } from "@bulkhead/domain";
import { CUT_MARK } from "@bulkhead/wire/sandbox";
import type { AttemptLog, Said } from "../attempt-log.ts";
import type { RunSecrets } from "./open-secrets.ts";

/** For how long a line may wait for what could make a secret of its end. Milliseconds. */
const LINE_HELD_MS = 250;

/** What is to be told; nothing behind it is told before it. */
interface Waiting {
  at: Date;
  /** Null until the stream of lines lets its text out. */
  said: Said | null;
  /** When it has waited long enough, by this process's monotonic clock. */
  until: number;
  /** It waits until then whatever it says. */
  isHeld: boolean;
}

export interface CoveredLogDeps {
  log: Pick<AttemptLog, "say">;
  scrubber: Pick<Scrubber, "json" | "lines">;
  secrets: Pick<RunSecrets, "keepsUntold">;
  clock: Clock;
}

/**
 * What a run says of itself, with what is secret covered. Its lines are one stream, since a secret may go on from line to
 * line; what is said behind a line that waits, waits too, so that everything is told in order, with the time at which it
 * was said. While there is a value that the run's code was not told all lines wait alike: from how long each takes code
 * could else read which of its guesses that value begins with.
 */
export class CoveredLog {
  readonly #deps: CoveredLogDeps;
  /** Null until there is a line: most runs write none, and opening it costs. */
  #lines: ScrubLines | null = null;
  #waiting: Waiting[] = [];
  /** Takes the text of each line that waits for it, in their order. */
  #takers: ((text: string) => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: CoveredLogDeps) {
    this.#deps = deps;
  }

  line(level: LogLevel, text: string): void {
    const lines = (this.#lines ??= this.#deps.scrubber.lines());
    const isCut = text.endsWith(CUT_MARK);
    const mark = isCut ? CUT_MARK : "";
    const line = this.#wait(null, this.#deps.secrets.keepsUntold());
    this.#takers.push((covered) => (line.said = { type: "execution.log", level, text: covered + mark }));
    this.#take(lines.push(isCut ? text.slice(0, -CUT_MARK.length) : text));
    // The rest of a secret that was cut off will never come.
    if (isCut) this.#take(lines.settle());
    this.#tell();
  }

  progress(json: string): void {
    const value = JSON.parse(this.#deps.scrubber.json(json)) as Json;
    this.#wait({ type: "execution.progress", value }, false);
    this.#tell();
  }

  /** Tells all that waits; nothing is said after it. */
  end(): void {
    this.#take(this.#lines?.end() ?? []);
    this.#tell(Number.POSITIVE_INFINITY);
  }

  #wait(said: Said | null, isHeld: boolean): Waiting {
    const waiting = { at: this.#deps.clock(), said, until: performance.now() + LINE_HELD_MS, isHeld };
    this.#waiting.push(waiting);
    return waiting;
  }

  #take(decided: readonly ScrubbedLine[]): void {
    const takers = this.#takers.splice(0, decided.length);
    for (const [i, take] of takers.entries()) take(decided[i]!.text);
  }

  #tell(now = performance.now()): void {
    let told = 0;
    for (const { said, at, until, isHeld } of this.#waiting) {
      if (said === null || (isHeld && now < until)) break;
      told += 1;
      this.#deps.log.say(said, at);
    }
    this.#waiting.splice(0, told);
    this.#arm(told > 0, now);
  }

  /** The clock runs for what is in front. */
  #arm(isNewFront: boolean, now: number): void {
    if (isNewFront) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    const front = this.#waiting[0];
    if (front) this.#timer ??= setTimeout(() => this.#goOn(), Math.ceil(front.until - now));
  }

  /** What is in front has waited long enough. */
  #goOn(): void {
    this.#timer = undefined;
    if (this.#waiting[0]?.said === null) this.#take(this.#lines?.settle() ?? []);
    this.#tell();
  }
}
