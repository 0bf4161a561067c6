import {
  IDEMPOTENCY_HOURS,
  type IdempotencyKey,
  type InsertOnce,
  type KnownCall,
  type NewExecution,
} from "@bulkhead/core";

interface KeyedCall {
  execution: NewExecution;
  once: IdempotencyKey;
}

/** The idempotency keys of the model's store. `now` is in milliseconds. */
export class ModelKeys {
  readonly #keys = new Map<string, { executionId: string; bodyHash: string; at: number }>();

  find(tenantId: string, { key, bodyHash }: IdempotencyKey, now: number): KnownCall | null {
    const known = this.#keys.get(`${tenantId}/${key}`);
    if (!known || now - known.at >= IDEMPOTENCY_HOURS * 3_600_000) return null;
    return { executionId: known.executionId, sameBody: known.bodyHash === bodyHash, isDeleted: false };
  }

  /** Takes a key that is free; else answers what it stands for. */
  take({ execution, once }: KeyedCall, now: number): KnownCall | null {
    const { executionId, tenantId } = execution;
    const known = this.find(tenantId, once, now);
    if (!known) this.#keys.set(`${tenantId}/${once.key}`, { executionId, bodyHash: once.bodyHash, at: now });
    return known;
  }

  /** Takes the key of the request that the calls are parts of; answers what they come to where it is another's. */
  takeRequest([part]: KeyedCall[], now: number): InsertOnce | null {
    if (part?.once.partOf === undefined) return null;
    const request = { key: part.once.partOf, bodyHash: part.once.bodyHash };
    const known = this.take({ ...part, once: request }, now);
    return known?.sameBody === false ? { outcome: "known", ...known } : null;
  }
}
