import type { ProcessState } from "./process-state.ts";
import type { SandboxProcess } from "./sandbox-process.ts";

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

  /** A tenant's own, but for those that are being ended. */
  countOf(tenantId: string): number {
    let count = 0;
    for (const { tenantId: owner, state } of this.#processes) {
      if (owner === tenantId && state !== "leaving") count++;
    }
    return count;
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
