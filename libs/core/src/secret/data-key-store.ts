/** A key of a tenant as it rests. */
export interface DataKey {
  id: string;
  tenantId: string;
  use: string;
  wrapped: string;
  /** The key of the key service that wraps it. */
  masterKeyId: string;
}

/** A key that comes from a master key itself and is not wrapped yet. */
export interface InheritedKey extends Pick<DataKey, "id" | "tenantId" | "use"> {
  /** The master key that it comes from, where that is known. */
  masterKeyId: string | null;
}

/** A new wrapping in the place of the one that was seen; null: of an inherited key. */
export interface Rewrapping extends Pick<DataKey, "id" | "wrapped" | "masterKeyId"> {
  before: string | null;
}

export interface DataKeyPage {
  after: string | null;
  countMax: number;
}

/** Keys of tenants, wrapped. */
export interface DataKeyStore {
  /** All of a tenant's that are wrapped: one for each use. */
  list(tenantId: string): Promise<DataKey[]>;
  /** The first for its tenant and use wins; any other, and one of a tenant that is not there, is dropped. */
  insert(key: DataKey): Promise<void>;
  /** How many keys each master key wraps or is the origin of. */
  countByMasterKey(): Promise<ReadonlyMap<string, number>>;
  /** The keys that another master key wraps, by id. */
  listWrappedByOthers(masterKeyId: string, page: DataKeyPage): Promise<DataKey[]>;
  /** In the order of ids. */
  listInherited(page: DataKeyPage): Promise<InheritedKey[]>;
  /** Leaves rows alone that were rewrapped meanwhile. Answers how many were replaced. */
  rewrap(rewrappings: readonly Rewrapping[]): Promise<number>;
  /** Master keys that processes have started with, the first one first. */
  listMasterKeys(): Promise<string[]>;
  /** Adds the first of them to the list if the list is empty or has one of them; else answers false. */
  admitMasterKeys(held: readonly string[]): Promise<boolean>;
  /** Leaves this one alone on the list, provided that it wraps all keys. Answers whether it does. */
  retireOtherMasterKeys(masterKeyId: string): Promise<boolean>;
}
