import { ask } from "./bridge.ts";

/** Randomness is the host's: V8's Math.random can be foretold. */
export const crypto = { randomUUID: (): string => ask("uuid", "", "") };
