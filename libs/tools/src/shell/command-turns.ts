import {
  COMMANDS_MAX,
  TENANT_COMMANDS_MAX,
  TENANT_WAITING_MAX,
  WAITING_MAX,
} from "../built-in/shell/bounds.ts";

type Turn = { outcome: "taken"; leave(): void } | { outcome: "crowded" | "aborted" };

/** Who may run a command now: tenants in turn, each within its bound, as many as one worker can bear. */
export class CommandTurns {
  readonly #running = new Map<string, number>();
  /** In the order in which tenants have their turn; none is empty. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Resolves when it is the tenant's turn; `leave` gives it back, and may be called again. Never rejects. */
  async take(tenantId: string, signal: AbortSignal): Promise<Turn> {
    if (signal.aborted) return { outcome: "aborted" };
    const own = this.#waiting.get(tenantId) ?? [];
    if (
      own.length >= TENANT_WAITING_MAX ||
      sum(this.#waiting.values(), ({ length }) => length) >= WAITING_MAX
    )
      return { outcome: "crowded" };
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const begin = (): void => resolve(true);
    const giveUp = (): void => {
      this.#keep(
        tenantId,
        (this.#waiting.get(tenantId) ?? []).filter((one) => one !== begin),
      );
      resolve(false);
    };
    this.#waiting.set(tenantId, [...own, begin]);
    signal.addEventListener("abort", giveUp, { once: true });
    this.#advance();
    const isMine = await promise;
    signal.removeEventListener("abort", giveUp);
    return isMine ? { outcome: "taken", leave: this.#leaver(tenantId) } : { outcome: "aborted" };
  }

  #leaver(tenantId: string): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = this.#of(tenantId) - 1;
      if (left > 0) this.#running.set(tenantId, left);
      else this.#running.delete(tenantId);
      this.#advance();
    };
  }

  #advance(): void {
    while (sum(this.#running.values(), (count) => count) < COMMANDS_MAX) {
      const next = [...this.#waiting].find(([tenantId]) => this.#of(tenantId) < TENANT_COMMANDS_MAX);
      if (next === undefined) return;
      const [tenantId, [begin, ...others]] = next;
      this.#waiting.delete(tenantId);
      this.#keep(tenantId, others);
      this.#running.set(tenantId, this.#of(tenantId) + 1);
      begin?.();
    }
  }

  readonly #of = (tenantId: string): number => this.#running.get(tenantId) ?? 0;

  #keep(tenantId: string, others: (() => void)[]): void {
    if (others.length > 0) this.#waiting.set(tenantId, others);
    else this.#waiting.delete(tenantId);
  }
}

const sum = <T>(all: Iterable<T>, count: (one: T) => number): number =>
  [...all].reduce((total, one) => total + count(one), 0);
