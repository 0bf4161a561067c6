/** The place of a sealed text: it opens only with the same tenant and purpose. */
export interface SealedFor {
  tenantId: string;
  /** As in `callback.secret`, or of `configPurpose`; permanent. */
  purpose: string;
}

/**
 * Keeps secrets that must be read again; the sealed text may be stored anywhere. Throws `tenant.not_found` for the keys of
 * an unknown tenant.
 */
export interface Vault {
  /** Twice the same text is sealed in two ways. */
  seal(plain: string, place: SealedFor): Promise<string>;
  /** Throws `vault.unreadable` for a text that was sealed for another place or changed, or whose key is unavailable. */
  open(sealed: string, place: SealedFor): Promise<string>;
  /** The same text for another place, where the value itself moves, as when its entry gets another label. */
  reseal(sealed: string, from: SealedFor, to: SealedFor): Promise<string>;
  /** 32 bytes that nobody can tell without the master key; the same for the same place and generation, for good. */
  derive(place: SealedFor, generation: number): Promise<Uint8Array>;
}
