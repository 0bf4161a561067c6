import { isTerminal, type Tool } from "@bulkhead/core";
import { executionIdAt } from "../kernel/ids.ts";
import { principalOf, type Tenancy } from "./tenants.ts";
import { callOf, type Api } from "./api.ts";
import type { World } from "./world.ts";

const TRIES_MAX = 3;

/** Callers of every kind, each action at its own moment within `forMs`. What they are answered goes into the history. */
export class Clients {
  readonly #world: World;
  readonly #apis: () => Api[];
  readonly #known: { tenancy: Tenancy; executionId: string }[] = [];
  #ids = 0;
  /** Whether actions are still to come. */
  pending = 0;

  constructor(world: World, apis: () => Api[]) {
    this.#world = world;
    this.#apis = apis;
  }

  /** Plans what is done. */
  plan(forMs: number, actions: number): void {
    const { random, scheduler } = this.#world;
    for (let n = 0; n < actions; n += 1) {
      this.pending += 1;
      scheduler.after(random.between(0, forMs), null, () => {
        this.pending -= 1;
        this.#act();
      });
    }
  }

  /** One plain call of each tenant's first tool, in a world that is well. */
  probe(): void {
    for (const tenancy of this.#world.tenants.values()) void this.#submit(tenancy, 60_000, null, 0);
  }

  #act(): void {
    const { random, tenants } = this.#world;
    const tenancy = random.pick([...tenants.values()]);
    const dice = random.next();
    if (dice < 0.62) this.#submitSomehow(tenancy);
    else if (dice < 0.72) void this.#batch(tenancy);
    else if (dice < 0.92) void this.#cancel();
    else if (dice < 0.98) void this.#changeLimits(tenancy);
    else random.pick(tenancy.tools).status = "disabled";
  }

  #submitSomehow(tenancy: Tenancy): void {
    const { random } = this.#world;
    const timeoutMs = random.pick([1_000, 5_000, 30_000, 60_000]);
    const key = random.chance(0.4) ? `key-${random.whole(1, 3)}` : null;
    const delayMs = random.chance(0.2) ? random.between(1, 3_000) : 0;
    const together = key !== null && random.chance(0.4) ? 2 : 1;
    for (let n = 0; n < together; n += 1) void this.#submit(tenancy, timeoutMs, key, delayMs);
  }

  async #submit(tenancy: Tenancy, timeoutMs: number, key: string | null, delayMs: number): Promise<void> {
    const { random, scheduler, history } = this.#world;
    const tool = key === null ? random.pick(tenancy.tools) : this.#first(tenancy);
    for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
      const api = this.#api();
      if (!api) return;
      const call = { ...callOf(this.#newId(), timeoutMs), delayMs, priority: random.pick([0, 4, 4, 9]) };
      const once = key === null ? null : { key, bodyHash: "same" };
      try {
        const { executionId } = await api.submit(principalOf(tenancy), tool, { ...call, once });
        history.tell({ kind: "accepted", executionId, key: key && `${tenancy.id}/${key}` });
        this.#known.push({ tenancy, executionId });
        if (random.chance(0.2)) this.#waitFor(api, tenancy.id, executionId);
        return;
      } catch {
        await scheduler.sleep(random.between(50, 1_000), null);
      }
    }
  }

  async #batch(tenancy: Tenancy): Promise<void> {
    const { random, history } = this.#world;
    const calls = Array.from({ length: random.whole(2, 5) }, () => ({
      ...callOf(this.#newId(), random.pick([5_000, 30_000])),
      tool: random.pick(tenancy.tools),
    }));
    const answers = await this.#api()
      ?.submitBatch(principalOf(tenancy), calls)
      .catch(() => []);
    for (const answer of answers ?? []) {
      if (!("executionId" in answer)) continue;
      history.tell({ kind: "accepted", executionId: answer.executionId, key: null });
      this.#known.push({ tenancy, executionId: answer.executionId });
    }
  }

  async #cancel(): Promise<void> {
    if (this.#known.length === 0) return;
    const { tenancy, executionId } = this.#world.random.pick(this.#known);
    const ended = await this.#api()
      ?.cancel(principalOf(tenancy), executionId)
      .catch(() => null);
    if (ended) this.#world.history.tell({ kind: "cancelled", executionId, status: ended.status });
  }

  async #changeLimits(tenancy: Tenancy): Promise<void> {
    const { random } = this.#world;
    const current = this.#world.limit(tenancy.id, { maxConcurrentExecutions: random.whole(1, 4) });
    await this.#api()
      ?.setLimits(tenancy.id, current)
      .catch(() => undefined);
  }

  /** A caller that holds the line: when the deadline passes, the API ends it. */
  #waitFor(api: Api, tenantId: string, executionId: string): void {
    const { scheduler, store } = this.#world;
    const row = store.rows.get(executionId);
    if (!row || isTerminal(row.status)) return;
    scheduler.after(row.born.deadlineAt.getTime() - scheduler.now, api.process, () => {
      void api.expire(tenantId, executionId).catch(() => undefined);
    });
  }

  #api(): Api | undefined {
    const alive = this.#apis();
    return alive.length > 0 ? this.#world.random.pick(alive) : undefined;
  }

  #first({ tools }: Tenancy): Tool {
    const [tool] = tools;
    if (!tool) throw new Error("a tenant without tools");
    return tool;
  }

  #newId(): string {
    this.#ids += 1;
    return executionIdAt(this.#world.now(), this.#ids);
  }
}
