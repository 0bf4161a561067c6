import type { EgressRequest, SearchProvider } from "@bulkhead/core";

/** One search, as an engine is asked for it. */
interface SearchQuery {
  query: string;
  /** How many results are wanted at most. */
  limit: number;
}

/** Where an engine is, and what it knows its caller by. */
export interface SearchPlace {
  /** Without a slash at its end. */
  baseUrl: string;
  /** What stands for the key until the request leaves; null: there is none. */
  key: string | null;
  engineId: string | null;
}

/** As an engine tells it; nothing of it is checked. */
export interface RawResult {
  title?: unknown;
  url?: unknown;
  snippet?: unknown;
  publishedAt?: unknown;
}

/** A search engine: how it is asked, and how its answer is read. */
export interface SearchEngine {
  readonly name: SearchProvider;
  /** Where its provider has it; null: everybody has their own. */
  readonly baseUrl: string | null;
  /** What its place has to have beside the address. */
  readonly needs: readonly ("key" | "engineId")[];
  /** Statuses by which it refuses a key; of others nobody knows more than the number. */
  readonly refusesKey: readonly number[];
  request(query: SearchQuery, place: SearchPlace): Pick<EgressRequest, "url" | "method" | "headers" | "body">;
  /** The results in the JSON of an answer, in their order; null: it has not the form of one. */
  results(answer: unknown): RawResult[] | null;
}
