import type { TenantLimits, TerminalStatus } from "@bulkhead/core";

interface Moved<K extends string> {
  kind: K;
  executionId: string;
  attempt: number;
  tenantId: string;
  /** The worker that holds it, if any. */
  by: string;
}

/** What really happened, as the models saw it or as a client heard it. The invariants are judged by these alone. */
export type Fact =
  /** A client was answered with this execution. */
  | { kind: "accepted"; executionId: string; key: string | null }
  | { kind: "cancelled"; executionId: string; status: string }
  | Moved<"inserted">
  | Moved<"claimed">
  | Moved<"requeued">
  /** `attempt` is the one whose holder ended it; null where somebody else did. */
  | { kind: "ended"; executionId: string; status: TerminalStatus; attempt: number | null; endEventId: string }
  /** A worker's guest began, or is gone; one whose worker died goes with it and says nothing. */
  | { kind: "began" | "stopped"; executionId: string; attempt: number; by: string }
  | { kind: "died"; process: string; why: string }
  /** A run asked the outside world for something. */
  | { kind: "effect"; executionId: string; attempt: number; idempotent: boolean }
  | { kind: "appended"; executionId: string; id: string; type: string }
  | { kind: "dispatched"; executionId: string; tenantId: string }
  | { kind: "released"; executionId: string; attempt: number }
  /**
   * After each step of the dispatcher: its free room, whether a tenant had its turn all the same, and who waits behind one
   * of the same priority that was submitted later.
   */
  | { kind: "stepped"; room: number; waitsFor: string | null; overtaken: string | null }
  | { kind: "limits"; tenantId: string; limits: TenantLimits }
  | { kind: "emptied" }
  | { kind: "mishap"; what: string };

export type Told = Fact & { at: number };

/** Facts in the order in which they happened. */
export class History {
  readonly facts: Told[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  tell(fact: Fact): void {
    this.facts.push({ ...fact, at: this.#now() });
  }
}
