import type { RedisClient } from "@bulkhead/redis";
import { Queue } from "bullmq";
import { answered } from "./answered.ts";
import { attemptName, parseHandedOut, type HandedOut } from "./attempt-name.ts";
import { Batch } from "./batch.ts";
import { READY_QUEUE, STEP_SIZE_MAX } from "./names.ts";

export interface ReadyListInput {
  redis: RedisClient;
  prefix: string;
  onError: (error: unknown) => void;
}

/** The producers' side of a shard's BullMQ queue: what has a slot waits here for a worker. */
export class ReadyList {
  readonly #queue: Queue<HandedOut>;
  readonly #adds: Batch<HandedOut>;

  constructor({ redis, prefix, onError }: ReadyListInput) {
    this.#queue = new Queue(READY_QUEUE, {
      connection: redis,
      prefix,
      skipVersionCheck: true,
      // Nobody reads BullMQ's event stream.
      streams: { events: { maxLen: 100 } },
      defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
    });
    this.#queue.on("error", onError);
    this.#adds = new Batch(STEP_SIZE_MAX, (items) => this.#add(items));
  }

  /** Adds what a step handed out, in its order. */
  async add(handedOut: string[]): Promise<void> {
    await Promise.all(handedOut.map((text) => this.#adds.add(parseHandedOut(text))));
  }

  /** A worker may lock one of them meanwhile: BullMQ then keeps it, and the claim in Postgres refuses it. */
  async remove(jobIds: string[]): Promise<void> {
    await Promise.all(jobIds.map((jobId) => answered(this.#queue.remove(jobId))));
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }

  async #add(attempts: HandedOut[]): Promise<void> {
    // Only ids and a wait; and BullMQ ignores a job id that it has, so handing out twice is harmless.
    const jobs = attempts.map((attempt) => ({
      name: "run",
      data: attempt,
      opts: { jobId: attemptName(attempt) },
    }));
    await answered(this.#addAll(jobs));
  }

  async #addAll(jobs: { name: string; data: HandedOut; opts: { jobId: string } }[]): Promise<void> {
    try {
      // One transaction; BullMQ rejects when any of its replies is an error.
      await this.#queue.addBulk(jobs);
    } catch (error) {
      // Inside a transaction nobody loads a script that Redis forgot (SCRIPT FLUSH); an add by itself does.
      if (!String(error).includes("NOSCRIPT")) throw error;
      for (const { name, data, opts } of jobs) await this.#queue.add(name, data, opts);
    }
  }
}
