import { strict as assert } from "node:assert";
import { createSecretKey, randomBytes, type KeyObject } from "node:crypto";
import { RevocableCache } from "@bulkhead/process";
import { newDataKeyId, type DataKey, type DataKeyStore, type KeyService, Fault } from "@bulkhead/core";

export interface TenantKeysDeps {
  keys: KeyService;
  dataKeys: Pick<DataKeyStore, "list" | "insert">;
}

/** An unwrapped data key; printing it shows none of its bytes. */
export interface OpenedKey {
  id: string;
  key: KeyObject;
}

const DATA_KEY_BYTES = 32;
/** Tenants whose keys are kept unwrapped, and for how long; then they are dropped, used or not. */
const RINGS_MAX = 10_000;
const RING_MS = 5 * 60_000;

/** The data keys of one tenant, each unwrapped when it is first asked for. */
class Keyring {
  readonly #keys: KeyService;
  readonly #rows: readonly DataKey[];
  readonly #opened = new Map<string, Promise<OpenedKey>>();

  constructor(keys: KeyService, rows: readonly DataKey[]) {
    this.#keys = keys;
    this.#rows = rows;
  }

  async find(isWanted: (row: DataKey) => boolean): Promise<OpenedKey | null> {
    const row = this.#rows.find(isWanted);
    if (!row) return null;
    const opening = this.#opened.get(row.id) ?? this.#unwrap(row);
    this.#opened.set(row.id, opening);
    // The next unwrapping may succeed, if the key service is outside.
    opening.catch(() => this.#opened.delete(row.id));
    return await opening;
  }

  async #unwrap({ id, tenantId, use, wrapped, masterKeyId }: DataKey): Promise<OpenedKey> {
    const bytes = await this.#keys.unwrap(wrapped, masterKeyId, { tenantId, dataKeyId: id, use });
    const key = createSecretKey(bytes);
    bytes.fill(0);
    return { id, key };
  }
}

/** The data keys of all tenants, made when first needed. */
export class TenantKeys {
  readonly #deps: TenantKeysDeps;
  readonly #rings = new RevocableCache<Keyring>({
    entriesMax: RINGS_MAX,
    ttlMs: RING_MS,
    // A key stays the same when it is wrapped anew; one that is not on its ring is looked for in the store.
    trusted: () => true,
    weight: { max: RINGS_MAX, of: () => 1 },
  });

  constructor(deps: TenantKeysDeps) {
    this.#deps = deps;
  }

  /** The tenant's key for this use, made now if there is none. Throws `tenant.not_found` for a tenant that is not there. */
  async obtain(tenantId: string, use: string): Promise<OpenedKey> {
    const known = await this.findForUse(tenantId, use);
    if (known) return known;
    await this.#make(tenantId, use);
    const made = await (await this.#loadAgain(tenantId)).find((row) => row.use === use);
    if (!made) throw new Fault("tenant.not_found");
    return made;
  }

  /** Drops the unwrapped keys of a tenant whose keys have gone. */
  forget(tenantId: string): void {
    this.#rings.revoke(tenantId);
  }

  /** Null where it is not among the keys that were there some minutes ago. */
  async findForUse(tenantId: string, use: string): Promise<OpenedKey | null> {
    return (await this.#ring(tenantId)).find((row) => row.use === use);
  }

  /** Null where the tenant has none of this id. */
  async findById(tenantId: string, id: string): Promise<OpenedKey | null> {
    const isWanted = (row: DataKey): boolean => row.id === id;
    const known = await (await this.#ring(tenantId)).find(isWanted);
    // Another process may have made it meanwhile.
    return known ?? (await (await this.#loadAgain(tenantId)).find(isWanted));
  }

  /** If several make it at once, one wins, and all of them find that one afterwards. */
  async #make(tenantId: string, use: string): Promise<void> {
    const { keys, dataKeys } = this.#deps;
    const id = newDataKeyId();
    const bytes = randomBytes(DATA_KEY_BYTES);
    const masterKeyId = keys.currentKeyId;
    const wrapped = await keys.wrap(bytes, { tenantId, dataKeyId: id, use });
    bytes.fill(0);
    await dataKeys.insert({ id, tenantId, use, wrapped, masterKeyId });
  }

  async #ring(tenantId: string): Promise<Keyring> {
    const { keys, dataKeys } = this.#deps;
    const ring = await this.#rings.get(tenantId, async () => ({
      value: new Keyring(keys, await dataKeys.list(tenantId)),
      tags: [tenantId],
    }));
    assert(ring, "a tenant without keys has an empty ring");
    return ring;
  }

  #loadAgain(tenantId: string): Promise<Keyring> {
    this.#rings.revoke(tenantId);
    return this.#ring(tenantId);
  }
}
