import type { RedisClient } from "../connect/connect.ts";
import { answered } from "./answered.ts";
import { ANNOUNCED_KEPT_MS, ANNOUNCED_MS, ANNOUNCE_MS } from "./names.ts";

export interface SlotAnnouncerInput {
  /** A client on which the steps of `lua/` are defined. */
  redis: RedisClient;
  bases: string[];
  workerId: string;
  /** The most attempts it runs at once: its slots until it announces fewer. */
  capacity: number;
  onError: (error: unknown) => void;
}

/**
 * Tells every shard how many slots a worker has, and how many it would have at rest; nothing is handed out for a worker that
 * has fallen silent.
 */
export class SlotAnnouncer {
  readonly #input: SlotAnnouncerInput;
  #slots: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(input: SlotAnnouncerInput) {
    this.#input = input;
    this.#slots = input.capacity;
  }

  /** Announces this number from now on, the first time at once. */
  change(slots: number): void {
    if (slots === this.#slots) return;
    this.#slots = slots;
    if (this.#timer !== undefined) void this.#announce().catch(this.#input.onError);
  }

  /** Resolves when the slots count; from then on they are announced again and again. */
  async start(): Promise<void> {
    await this.#announce();
    this.#timer = setInterval(() => void this.#announce().catch(this.#input.onError), ANNOUNCE_MS);
  }

  async withdraw(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    const { redis, bases, workerId } = this.#input;
    await Promise.all(bases.map((base) => answered(redis.bhWithdraw(base, workerId))));
  }

  async #announce(): Promise<void> {
    const { redis, bases, workerId, capacity } = this.#input;
    const announced = bases.map((base) =>
      answered(redis.bhAnnounce(base, workerId, this.#slots, ANNOUNCED_MS, ANNOUNCED_KEPT_MS, capacity)),
    );
    await Promise.all(announced);
  }
}
