/** What every part of the report is run with. */
export interface Settings {
  /** Of each measure, 1 to 50. */
  rounds: number;
  /** Of each round, 1 to 60. */
  seconds: number;
  /** Idle streams that are held open at a time, 1 to `STREAMS_MAX`. */
  streams: number;
  /** Told what is going on, one line each. */
  note: (line: string) => void;
}

/** As many as one tenant may have in one API process. */
export const STREAMS_MAX = 5_000;

/** One quantity, once for each round. */
export interface Figure {
  what: string;
  /** `×` for a ratio within one round, where the machine's speed is the same for both sides. */
  unit: "ms" | "/s" | "×" | "MiB" | "KiB" | "index" | "count";
  rounds: number[];
}

/** One subject of the report, on systems of its own, which it ends. */
export interface Part {
  name: string;
  title: string;
  /** What exactly is measured, in one or two sentences. */
  how: string;
  /** About how long it takes. */
  expectSeconds(settings: Settings): number;
  measure(settings: Settings): Promise<Figure[]>;
}

/** To start the product with its stores and to stop it, on two busy cores. */
export const START_SECONDS = 9;
/** V8 compiles what is hot only after some thousand calls. */
const WARM_UP_SECONDS = 4;
/** A run with little to measure needs no long warm-up: what it says means nothing anyway. */
export const warmUpSeconds = ({ seconds }: Pick<Settings, "seconds">): number =>
  Math.min(WARM_UP_SECONDS, 2 * seconds);
