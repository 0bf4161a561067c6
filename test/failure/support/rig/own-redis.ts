import { openRedis, type EmbeddedRedis } from "@bulkhead/standalone/stores";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { redisCommands } from "../wire/redis-command.ts";

/** A Redis with an append-only file, whose process may die with and without its data. */
export class OwnRedis {
  readonly #folder: string;
  readonly #onMove: (port: number) => void;
  #redis: EmbeddedRedis;

  constructor(folder: string, redis: EmbeddedRedis, onMove: (port: number) => void) {
    this.#folder = folder;
    this.#redis = redis;
    this.#onMove = onMove;
  }

  get url(): string {
    return this.#redis.url;
  }

  /** The raw replies. */
  ask(...commands: string[][]): Promise<string> {
    return redisCommands(this.url, commands);
  }

  kill(): Promise<void> {
    return this.#redis.kill();
  }

  /** After `kill`; it may come up at another port, which `onMove` is told. */
  async start(data: "kept" | "emptied"): Promise<void> {
    if (data === "emptied") await rm(join(this.#folder, "redis", "data"), { recursive: true, force: true });
    this.#redis = await open(this.#folder);
    this.#onMove(this.#redis.port);
  }

  async close(): Promise<void> {
    await this.#redis.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

const open = (folder: string): Promise<EmbeddedRedis> => openRedis({ dataDir: folder, env: process.env });

export async function openOwnRedis(onMove: (port: number) => void): Promise<OwnRedis> {
  const folder = await mkdtemp(join(tmpdir(), "bulkhead-fault-redis-"));
  return new OwnRedis(folder, await open(folder), onMove);
}
