import { createdAtOf, type LimitsAsOf, type Signal, type TenantLimits, type Tool } from "@bulkhead/core";
import { History } from "../history.ts";
import { Network, type Server } from "../kernel/network.ts";
import { Random } from "../kernel/random.ts";
import { Scheduler, type VirtualProcess } from "../kernel/scheduler.ts";
import type { Dispatcher } from "../model/dispatcher.ts";
import { ReadyList } from "../model/ready-list.ts";
import type { StoreModel } from "../model/store.ts";
import type { StreamModel } from "../model/stream.ts";
import type { Waiting } from "../model/waiting.ts";
import { makeTenants, type Tenancy } from "./tenants.ts";
import { HONEST, type Models } from "./models.ts";

export interface Member {
  process: VirtualProcess;
  /** Null for an API process. */
  slots: number | null;
  onSignal: (signal: Signal) => void;
}

/** Everything of one seed: clock, chance, stores, tenants and processes. */
export class World {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly history: History;
  readonly network: Network;
  readonly postgres: Server = { name: "postgres", ordered: false, downUntil: 0 };
  readonly redis: Server = { name: "redis", ordered: true, downUntil: 0 };
  readonly store: StoreModel;
  readonly tenants: Map<string, Tenancy>;
  dispatcher: Dispatcher;
  ready: ReadyList;
  stream: StreamModel;
  members: Member[] = [];
  /** What product code reported: something slower heals each of it. */
  readonly reports: string[] = [];
  /** Told of each process that died, so that another takes its place. */
  onDeath: (process: VirtualProcess) => void = () => undefined;
  /** How many of the runs take long. */
  readonly longRuns: number;
  readonly now = (): number => this.scheduler.now;
  readonly #models: Models;
  /** Under which limits the dispatcher holds each tenant, as the history knows it. */
  readonly #told = new Map<string, TenantLimits>();

  constructor(seed: number, models: Models = HONEST) {
    this.#models = models;
    this.random = new Random(seed);
    this.longRuns = this.random.pick([0, 0.3, 1]);
    this.scheduler = new Scheduler(this.random);
    this.history = new History(this.now);
    this.network = new Network(this.scheduler, this.random, {
      crash: (process, why) => this.kill(process, why),
      pause: (process, why) => this.pause(process, this.random.between(1_000, 40_000), why),
    });
    this.tenants = makeTenants(this.random, new Date(this.now()));
    this.store = models.store({
      now: this.now,
      limitsOf: (tenantId) => this.tenancy(tenantId).current,
      toolStatus: (toolId) => this.tool(toolId).status,
      history: this.history,
    });
    this.dispatcher = models.dispatcher(this.now);
    this.ready = new ReadyList(this.now);
    this.stream = models.stream(this.history);
  }

  tenancy(tenantId: string): Tenancy {
    const tenancy = this.tenants.get(tenantId);
    if (!tenancy) throw new Error(`no tenant ${tenantId}`);
    return tenancy;
  }

  tool(toolId: string): Tool {
    for (const { tools } of this.tenants.values()) {
      const tool = tools.find(({ id }) => id === toolId);
      if (tool) return tool;
    }
    throw new Error(`no tool ${toolId}`);
  }

  limit(tenantId: string, change: Partial<TenantLimits>): LimitsAsOf {
    const tenancy = this.tenancy(tenantId);
    const limits = { ...tenancy.current.limits, ...change };
    tenancy.current = { limits, asOf: new Date(this.now()) };
    return tenancy.current;
  }

  kill(process: VirtualProcess, why: string): void {
    if (!process.alive) return;
    this.history.tell({ kind: "died", process: process.name, why });
    this.scheduler.kill(process);
    this.members = this.members.filter((member) => member.process !== process);
    this.onDeath(process);
  }

  pause(process: VirtualProcess, ms: number, why: string): void {
    if (!process.alive) return;
    this.history.tell({ kind: "mishap", what: `${process.name} is stopped for ${Math.round(ms)} ms ${why}` });
    this.scheduler.pause(process, ms);
  }

  /** As a Redis that comes back with nothing. */
  emptyRedis(): void {
    this.history.tell({ kind: "emptied" });
    this.dispatcher = this.#models.dispatcher(this.now);
    this.ready = new ReadyList(this.now);
    this.stream = this.#models.stream(this.history);
  }

  /** Tells the history what a step of the dispatcher left behind. */
  observe(handedOut: { executionId: string; tenantId: string }[]): void {
    for (const { id, limits } of this.dispatcher.tenants.values()) {
      if (this.#told.get(id) === limits) continue;
      this.#told.set(id, limits);
      this.history.tell({ kind: "limits", tenantId: id, limits });
    }
    for (const { executionId, tenantId } of handedOut)
      this.history.tell({ kind: "dispatched", executionId, tenantId });
    const { room, tenants } = this.dispatcher;
    const waiting = [...tenants.values()].find(
      ({ backlog, slots, limits, arrivals, rate }) =>
        backlog.size > 0 &&
        slots.size < limits.maxConcurrentExecutions &&
        arrivals.readyAt(rate) <= this.now(),
    );
    const overtaken = this.#overtaken();
    this.history.tell({ kind: "stepped", room, waitsFor: waiting?.id ?? null, overtaken });
  }

  /** Who waits behind one that was submitted later; first attempts that were asked for later are not looked at. */
  #overtaken(): string | null {
    const isAskedForLater = ({ attempt: { executionId, attempt } }: Waiting): boolean =>
      attempt === 1 && (this.store.rows.get(executionId)?.born.delayMs ?? 0) > 0;
    for (const { backlog } of this.dispatcher.tenants.values()) {
      const line = backlog.all.filter((waiting) => !isAskedForLater(waiting));
      const place = line.findIndex((waiting, n) => {
        const before = line[n - 1];
        if (before?.priority !== waiting.priority) return false;
        return createdAtOf(before.attempt.executionId) > createdAtOf(waiting.attempt.executionId);
      });
      if (place >= 0) return `${line[place]?.name} waits behind ${line[place - 1]?.name}`;
    }
    return null;
  }

  readonly report = (what: string): void => void this.reports.push(what);
}
