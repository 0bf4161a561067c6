import { createHash, randomBytes } from "node:crypto";

/** A new API key: `bh_` and 256 random bits in base64url. */
export const newApiKeyText = (): string => `bh_${randomBytes(32).toString("base64url")}`;

/** The hash that is stored. A plain hash is enough: a key is random, not a password that could be guessed. */
export const hashApiKey = (key: string): string => createHash("sha256").update(key).digest("hex");
