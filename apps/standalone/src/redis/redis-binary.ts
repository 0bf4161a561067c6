/** A Redis (or Valkey) server program that was seen to run here. */
export interface RedisBinary {
  command: string;
  /** The environment in which it finds its libraries; empty for an installed one. */
  env: Record<string, string>;
  /** For people: "Redis 7.0.15". */
  version: string;
}

export interface RedisSearch {
  /** PATH is searched; the proxy settings are passed on to downloads. */
  env: NodeJS.ProcessEnv;
  /** A fetched Redis is kept here and found again. */
  fetchedDir: string;
  /** Hears of slow steps, one line each. */
  progress?: ((line: string) => void) | undefined;
}

/** A usable Redis, or one line on why there is none. */
export type RedisSearchEnd = { binary: RedisBinary } | { refusal: string };

/** One way to find or make a Redis. */
export type RedisSource = (search: RedisSearch) => Promise<RedisSearchEnd>;
