import type { Json } from "../json/json.ts";

/** Answers of each kind that one dry run is given, and headers of one. */
export const RECORDED_ANSWERS_MAX = 50;
export const RECORDED_HEADERS_MAX = 32;

/** The answer to a request of a dry run, which asks nobody. */
export interface RecordedFetch {
  method: string;
  /** The whole URL with its query. */
  url: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** What another tool's call gives in a dry run: nothing of that tool runs. */
export interface RecordedCall {
  name: string;
  result: Json;
}

/** What a command leaves in a dry run, which runs none. */
export interface RecordedCommand {
  /** The whole line, with the arguments in it as words. */
  command: string;
  stdout: string;
  stderr: string;
  exitCode: number;
}

/**
 * What stands for the outside in a dry run. Answers to the same request, of the same tool, and to the same command are given in their order; the
 * last one stays.
 */
export interface RecordedAnswers {
  fetch: readonly RecordedFetch[];
  calls: readonly RecordedCall[];
  commands: readonly RecordedCommand[];
}

/** The answers of one dry run, each in its turn. */
export class RecordedTurns {
  readonly #fetch: Map<string, RecordedFetch[]>;
  readonly #calls: Map<string, RecordedCall[]>;
  readonly #commands: Map<string, RecordedCommand[]>;

  constructor({ fetch, calls, commands }: RecordedAnswers) {
    this.#fetch = Map.groupBy(fetch, ({ method, url }) => keyOf(method, url));
    this.#calls = Map.groupBy(calls, ({ name }) => name);
    this.#commands = Map.groupBy(commands, ({ command }) => command);
  }

  /** Null where none was recorded for the request. */
  fetch(method: string, url: string): RecordedFetch | null {
    return next(this.#fetch.get(keyOf(method, url)));
  }

  /** Null where none was recorded for the tool. */
  call(name: string): RecordedCall | null {
    return next(this.#calls.get(name));
  }

  /** Null where none was recorded for the line. */
  command(line: string): RecordedCommand | null {
    return next(this.#commands.get(line));
  }
}

const keyOf = (method: string, url: string): string =>
  `${method.toUpperCase()} ${URL.parse(url)?.href ?? url}`;

const next = <Answer>(left: Answer[] | undefined): Answer | null =>
  (left && left.length > 1 ? left.shift() : left?.[0]) ?? null;
