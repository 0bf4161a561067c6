import { RunningAttempts } from "@bulkhead/executions";

/** Remembers which attempt of an execution this worker began last, claimed or not: a run is told only its execution. */
export class SeenAttempts extends RunningAttempts {
  readonly #begun = new Map<string, number>();

  override hold(...begun: Parameters<RunningAttempts["hold"]>): () => void {
    const [{ executionId, attempt }] = begun;
    this.#begun.set(executionId, attempt);
    return super.hold(...begun);
  }

  attemptOf(executionId: string): number {
    return this.#begun.get(executionId) ?? 0;
  }
}
