import type { EndingLayer, SandboxHooks, SandboxOutcome, SandboxRun } from "@bulkhead/core";
import { encodeAnswer, encodeRun } from "./encode-messages.ts";
import { Overseer } from "./overseer.ts";
import type { SandboxChild } from "./sandbox-child.ts";
import { SupervisedRun, type ProcessVerdict } from "./supervised-run.ts";

/** What a run needs of the process that it is in. */
export interface RunHost {
  child: Pick<SandboxChild, "pid" | "connection">;
  /** What the process holds when the run begins; 0 where nobody looked. */
  rssMib: number;
  graceMs: number;
  /** Ends the process, and the run with this outcome. */
  end(outcome: SandboxOutcome): void;
}

/** One run in one process: who hears it, who watches it, and who waits for its end. */
export class HostedRun {
  readonly supervised: SupervisedRun;
  readonly #host: RunHost;
  readonly #overseer: Overseer;
  readonly #signal: AbortSignal;
  readonly #stop: () => void;
  readonly #ended = Promise.withResolvers<ProcessVerdict>();

  /** The signal ends it with its process. */
  constructor(host: RunHost, run: SandboxRun, hooks: SandboxHooks, signal: AbortSignal) {
    this.#host = host;
    this.supervised = new SupervisedRun(run, hooks, (requestId, answer) =>
      host.child.connection.write(encodeAnswer(run.executionId, requestId, answer)),
    );
    this.#overseer = new Overseer(host.child.pid, host.rssMib, run.limits, host.graceMs, (outcome) =>
      host.end(outcome),
    );
    this.#signal = signal;
    this.#stop = () => host.end({ outcome: "aborted", message: "The run was stopped." });
    signal.addEventListener("abort", this.#stop, { once: true });
  }

  get ended(): Promise<ProcessVerdict> {
    return this.#ended.promise;
  }

  /** Sends it to the sandbox, or ends it where its signal has fired already. */
  begin(): void {
    if (this.#signal.aborted) return this.#stop();
    const { connection } = this.#host.child;
    const { tenantId, limits } = this.supervised.run;
    connection.expectRun(tenantId, limits);
    connection.write(encodeRun(this.supervised.run));
  }

  /** For a process that is about to be killed: what the run has used until now. */
  see(): void {
    this.#overseer.see();
  }

  /** Its limits hold no more: it has said how it ended. */
  stopWatching(): void {
    this.#overseer.stop();
  }

  finish(verdict: ProcessVerdict): void {
    this.#ended.resolve(verdict);
  }

  /** The verdict of a run whose process is gone, with what was seen of it from outside. */
  verdictOfDeath(outcome: SandboxOutcome, endedBy: EndingLayer): ProcessVerdict {
    return this.supervised.end(outcome, endedBy, this.#overseer.seen);
  }

  /** Nothing of it is left after that; for a run that has ended. */
  close(): void {
    this.#signal.removeEventListener("abort", this.#stop);
    this.#overseer.stop();
    this.supervised.close();
  }
}
