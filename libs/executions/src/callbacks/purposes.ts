// Permanent: what was sealed or derived under a purpose is readable under no other.

/** A caller's own signing secret. */
export const CALLBACK_SECRET = "callback.secret";
/** The tenant's signing secret, which is derived. */
export const WEBHOOK = "webhook";
