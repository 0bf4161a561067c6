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

/**
 * What stands for the outside in a dry run. Answers to the same request, and of the same tool, are given in their order; the
 * last one stays.
 */
export interface RecordedAnswers {
  fetch: readonly RecordedFetch[];
  calls: readonly RecordedCall[];
}

/** The answers of one dry run, each in its turn. */
export class RecordedTurns {
  readonly #fetch: Map<string, RecordedFetch[]>;
  readonly #calls: Map<string, RecordedCall[]>;

  constructor({ fetch, calls }: RecordedAnswers) {
    this.#fetch = Map.groupBy(fetch, ({ method, url }) => keyOf(method, url));
    this.#calls = Map.groupBy(calls, ({ name }) => name);
  }

  /** Null where none was recorded for the request. */
  fetch(method: string, url: string): RecordedFetch | null {
    return next(this.#fetch.get(keyOf(method, url)));
  }

  /** Null where none was recorded for the tool. */
  call(name: string): RecordedCall | null {
    return next(this.#calls.get(name));
  }
}

const keyOf = (method: string, url: string): string =>
  `${method.toUpperCase()} ${URL.parse(url)?.href ?? url}`;

const next = <Answer>(left: Answer[] | undefined): Answer | null =>
  (left && left.length > 1 ? left.shift() : left?.[0]) ?? null;
