import type { RedisClient } from "../connect/connect.ts";
import { Queue } from "bullmq";
import { answered } from "./answered.ts";
import { READY_QUEUE } from "./names.ts";

export interface ReadyListInput {
  redis: RedisClient;
  prefix: string;
  onError: (error: unknown) => void;
}

/**
 * The producers' side of a shard's BullMQ queue: an attempt with a slot waits there for a worker. The steps themselves add
 * it (`lua/shared/ready.lua`).
 */
export class ReadyList {
  readonly #queue: Queue;

  constructor({ redis, prefix, onError }: ReadyListInput) {
    this.#queue = new Queue(READY_QUEUE, {
      connection: redis,
      prefix,
      skipVersionCheck: true,
      // Nobody reads BullMQ's event stream.
      streams: { events: { maxLen: 100 } },
    });
    this.#queue.on("error", onError);
  }

  /** A worker may lock one of them meanwhile: BullMQ then keeps it, and the claim in Postgres refuses it. */
  async remove(jobIds: string[]): Promise<void> {
    await Promise.all(jobIds.map((jobId) => answered(this.#queue.remove(jobId))));
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }
}
