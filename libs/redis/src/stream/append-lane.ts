import { type ExecutionEvent, type ExecutionKey, Fault } from "@bulkhead/core";
import { isCluster, type RedisClient } from "../connect/connect.ts";
import type { ChainableCommander } from "ioredis";
import { toBlocks, toMessage, type EventBlock } from "./event-block.ts";
import { BEFORE_SILENT, rowTellsAll } from "./first-event.ts";
import * as names from "./names.ts";

/** Events that were appended together; they may be written in several parts, in order. */
interface Append {
  resolve: (taken: boolean) => void;
  reject: (error: Fault) => void;
  blocksLeft: number;
  failure: Fault | null;
}

interface WaitingBlock {
  key: ExecutionKey;
  block: EventBlock;
  /** Whether it is published without being logged, since the row has it. */
  isToldByRow: boolean;
  append: Append;
}

type Reply = [error: unknown, taken: unknown];

export interface AppendLimits {
  ttlMs: number;
  eventsMax: number;
  bytesMax: number;
}

const unavailable = (internal: string, cause?: unknown): Fault =>
  new Fault("service.unavailable", { internal, cause });

/**
 * Writes events in the order in which they were given. Events that arrive during a write go out with the next one, for all
 * executions together; only one write is under way at a time, since a write that ioredis repeats (a script that Redis had
 * forgotten) could otherwise arrive behind a later one, and be refused as fenced off. Tenants take turns: a write carries
 * no more than `TURN_BYTES_MAX` of each, so nobody's lines wait behind all of another's.
 */
export class AppendLane {
  readonly #redis: RedisClient;
  readonly #limits: AppendLimits;
  /** Keyed by tenant, in the order of their turns. */
  readonly #waiting = new Map<string, WaitingBlock[]>();
  readonly #bytesOf = new Map<string, number>();
  #bytesOfAll = 0;
  #writing: Promise<void> | undefined;

  constructor(redis: RedisClient, limits: AppendLimits) {
    this.#redis = redis;
    this.#limits = limits;
  }

  /** Answers whether the last event was taken; the events are of one execution. Rejects as `EventStream.append` says. */
  append(key: ExecutionKey, events: ExecutionEvent[]): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const byRow = rowTellsAll(events);
      const blocks = byRow ? [toMessage(events)] : toBlocks(events);
      if (blocks.length === 0) return resolve(true);
      const bytes = blocks.reduce((sum, block) => sum + block.bytes, 0);
      const refusal = this.#whyRefused(key.tenantId, blocks, bytes);
      if (refusal) return reject(refusal);
      const append = { resolve, reject, blocksLeft: blocks.length, failure: null };
      const queue = this.#waiting.get(key.tenantId) ?? [];
      for (const block of blocks) queue.push({ key, block, isToldByRow: byRow, append });
      this.#waiting.set(key.tenantId, queue);
      this.#count(key.tenantId, bytes);
      this.#writing ??= this.#writeAll();
    });
  }

  /** Resolves when nothing waits to be written any more. */
  async settle(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  #whyRefused(tenantId: string, blocks: readonly EventBlock[], bytes: number): Fault | null {
    if (blocks.some((block) => block.bytes > names.EVENT_BYTES_MAX))
      return new Fault("service.internal", { internal: "an event is larger than EVENT_BYTES_MAX" });
    if ((this.#bytesOf.get(tenantId) ?? 0) + bytes > names.PENDING_BYTES_OF_TENANT_MAX)
      return unavailable(
        "more events of a tenant wait to be written than PENDING_BYTES_OF_TENANT_MAX allows",
      );
    if (this.#bytesOfAll + bytes > names.PENDING_BYTES_MAX)
      return unavailable("more events wait to be written than PENDING_BYTES_MAX allows");
    return null;
  }

  #count(tenantId: string, bytes: number): void {
    const left = (this.#bytesOf.get(tenantId) ?? 0) + bytes;
    if (left === 0) this.#bytesOf.delete(tenantId);
    else this.#bytesOf.set(tenantId, left);
    this.#bytesOfAll += bytes;
  }

  async #writeAll(): Promise<void> {
    // Other events of this turn of the event loop come along.
    await Promise.resolve();
    while (this.#waiting.size > 0) await this.#write(this.#next());
    this.#writing = undefined;
  }

  /** Each tenant's share of the next write; a tenant with more gets its next turn after all that waited for this one. */
  #next(): WaitingBlock[] {
    const next: WaitingBlock[] = [];
    const again: [string, WaitingBlock[]][] = [];
    let bytes = 0;
    for (const [tenantId, queue] of this.#waiting) {
      if (bytes >= names.FLUSH_BYTES_MAX) break;
      const share = takeShare(queue);
      const shareBytes = share.reduce((sum, { block }) => sum + block.bytes, 0);
      this.#count(tenantId, -shareBytes);
      bytes += shareBytes;
      next.push(...share);
      this.#waiting.delete(tenantId);
      if (queue.length > 0) again.push([tenantId, queue]);
    }
    for (const [tenantId, queue] of again) this.#waiting.set(tenantId, queue);
    return next;
  }

  async #write(blocks: WaitingBlock[]): Promise<void> {
    const steps = [...Map.groupBy(blocks, stepName).values()];
    try {
      const replies = isCluster(this.#redis)
        ? await this.#writeEach(steps)
        : await this.#writeTogether(this.#redis.pipeline(), steps);
      steps.forEach((ofStep, position) => settleBlocks(ofStep, replies[position]));
    } catch (cause) {
      settleBlocks(blocks, [cause, null]);
    }
  }

  async #writeTogether(pipeline: ChainableCommander, steps: WaitingBlock[][]): Promise<Reply[]> {
    for (const [first, ...rest] of steps) {
      if (first?.isToldByRow) pipeline.publish(...message(first));
      else if (first) pipeline.bhAppend(...this.#entries([first, ...rest]));
    }
    return (await pipeline.exec()) ?? [];
  }

  /** A cluster's pipeline goes to one node, and these logs stand on many. */
  #writeEach(steps: WaitingBlock[][]): Promise<Reply[]> {
    const replies = steps.map((blocks): Promise<unknown> => {
      const [first] = blocks;
      if (first?.isToldByRow) return this.#redis.publish(...message(first));
      return this.#redis.bhAppend(...this.#entries(blocks));
    });
    return Promise.all(
      replies.map((reply) =>
        reply.then(
          (taken): Reply => [null, taken],
          (error: unknown): Reply => [error, null],
        ),
      ),
    );
  }

  /** Takes the blocks of one execution, at least one. */
  #entries(blocks: WaitingBlock[]) {
    const { key } = blocks[0]!;
    const { ttlMs, eventsMax, bytesMax } = this.#limits;
    const bounds = [ttlMs, eventsMax, bytesMax, names.PUBLISHED_BYTES_MAX];
    const entries = blocks.flatMap(({ block }) => [block.firstId, block.lastId, block.count, block.text]);
    return [names.logKey(key), names.tailKey(key), names.channelOf(key), ...bounds, ...entries] as const;
  }
}

const message = ({ key, block }: WaitingBlock): [channel: string, message: string] => [
  names.channelOf(key),
  `${BEFORE_SILENT}\n${block.text}`,
];

/** Logged events of one execution go in one step, events that are only published in another. */
const stepName = ({ key, isToldByRow }: WaitingBlock): string =>
  isToldByRow ? names.channelOf(key) : names.logKey(key);

/** Takes a tenant's share of one write out of its queue: at least one block. */
function takeShare(queue: WaitingBlock[]): WaitingBlock[] {
  let bytes = 0;
  const end = queue.findIndex(
    ({ block }, place) => (bytes += block.bytes) > names.TURN_BYTES_MAX && place > 0,
  );
  return queue.splice(0, end === -1 ? queue.length : end);
}

function settleBlocks(blocks: WaitingBlock[], [error, taken]: Reply = [new Error("no reply"), null]): void {
  const isWritten = !error && taken !== null;
  for (const [place, { append, isToldByRow }] of blocks.entries()) {
    if (!isWritten) append.failure ??= unavailable(`events could not be written: ${String(error)}`, error);
    append.blocksLeft -= 1;
    if (append.blocksLeft > 0) continue;
    if (append.failure) append.reject(append.failure);
    else append.resolve(isToldByRow || String(taken).charAt(place) === "1");
  }
}
