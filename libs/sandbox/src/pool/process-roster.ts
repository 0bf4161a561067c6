import type { ProcessState } from "./process-state.ts";
import type { SandboxProcess } from "./sandbox-process.ts";

/** What a tenant has; `idleSince` is when it last was given back one, as performance.now() tells it. */
export interface Holding {
  held: number;
  running: number;
  idleSince: number;
}

/** The processes that there are, until nothing of one is left: how many, whose, and which are free. */
export class ProcessRoster {
  readonly #processes = new Set<SandboxProcess>();

  get size(): number {
    return this.#processes.size;
  }

  add(process: SandboxProcess): void {
    this.#processes.add(process);
  }

  remove(process: SandboxProcess): void {
    this.#processes.delete(process);
  }

  count(state: ProcessState): number {
    let count = 0;
    for (const process of this.#processes) if (process.state === state) count++;
    return count;
  }

  /** Those whose place is free soon: being ended, or dead while what they had of the system is given back. */
  get going(): number {
    return this.count("leaving") + this.count("ended");
  }

  /** A tenant's own, but for those that are being ended. */
  countOf(tenantId: string): number {
    let count = 0;
    for (const { tenantId: owner, state } of this.#processes) {
      if (owner === tenantId && state !== "leaving" && state !== "ended") count++;
    }
    return count;
  }

  /** By tenant: how many it has, and how many of them run; those that are being ended count no more. */
  holdings(): Map<string, Holding> {
    const holdings = new Map<string, Holding>();
    for (const { tenantId, state, idleSince } of this.#processes) {
      if (tenantId === null || state === "leaving" || state === "ended") continue;
      const holding = holdings.get(tenantId) ?? { held: 0, running: 0, idleSince: 0 };
      holdings.set(tenantId, holding);
      holding.held++;
      if (state === "running") holding.running++;
      holding.idleSince = Math.max(holding.idleSince, idleSince);
    }
    return holdings;
  }

  /** Whether a tenant runs that has more than one, of which it can give one back. */
  someoneHasSeveral(): boolean {
    for (const { tenantId, state } of this.#processes)
      if (state === "running" && tenantId !== null && this.countOf(tenantId) > 1) return true;
    return false;
  }

  all(): SandboxProcess[] {
    return [...this.#processes];
  }

  /** Ready ones without a tenant. */
  blanks(): SandboxProcess[] {
    return this.all().filter(({ state, tenantId }) => state === "ready" && tenantId === null);
  }

  /** A ready process of this tenant, one that knows the tool before any other. */
  idleFor(tenantId: string, isolateKey: string): SandboxProcess | undefined {
    const idle = this.all().filter((process) => process.state === "ready" && process.tenantId === tenantId);
    return idle.find((process) => process.isWarmFor(isolateKey)) ?? idle[0];
  }

  /** Bound ones that are ready. */
  idleOldestFirst(): SandboxProcess[] {
    return this.all()
      .filter(({ state, tenantId }) => state === "ready" && tenantId !== null)
      .sort((a, b) => a.idleSince - b.idleSince);
  }
}
