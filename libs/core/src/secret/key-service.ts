/** The place of a data key. It is bound to the wrapping: a wrapped key does not unwrap in another row. */
export interface DataKeyPlace {
  tenantId: string;
  dataKeyId: string;
  use: string;
}

/** Holds master keys, in this process or in a key service outside, and wraps data keys with them. */
export interface KeyService {
  /** The one that wraps from now on. */
  readonly currentKeyId: string;
  /** All under which it unwraps, the current one first. */
  readonly keyIds: readonly string[];
  /** Under the current key. */
  wrap(dataKey: Uint8Array, place: DataKeyPlace): Promise<string>;
  /** Throws `vault.unreadable` for a key that it doesn't hold, another place, or a wrapping that was changed. */
  unwrap(wrapped: string, masterKeyId: string, place: DataKeyPlace): Promise<Uint8Array>;
}
