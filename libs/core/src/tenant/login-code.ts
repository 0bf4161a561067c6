/** A login code is exchanged for a session once, and within ten minutes. */
export const LOGIN_CODE_SECONDS = 600;

/** Keeps login codes until they are taken or too old. Each call rejects with `service.unavailable` where nobody can tell. */
export interface LoginCodeStore {
  /** Keeps by the code's hash which secret it stands for, by that one's hash. */
  keep(codeHash: string, keyHash: string): Promise<void>;
  /** Gives the secret's hash to the first who asks; null to all others. */
  take(codeHash: string): Promise<string | null>;
}
