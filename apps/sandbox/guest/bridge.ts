import { apply } from "./primordials.ts";

/** Tells the host something and goes on at once. Bound per context before anything else runs. */
export type Post = (operation: string, id: number, text: string, more: string) => void;
/** Asks the host and waits for its answer, which is text; it never throws. */
export type Ask = (operation: string, text: string, more: string) => string;

/** Parameters of the function around the bundle. */
declare const hostPost: Post;
declare const hostAsk: Ask;
/** isolated-vm's reference to a function of the process; it must never be within a tool's reach. */
declare const hostWorker: { applySyncPromise: (receiver: undefined, values: unknown[]) => unknown };

/** The host functions; no name of the tool's scope leads here. */
export const post: Post = hostPost;
export const ask: Ask = hostAsk;

const { applySyncPromise } = hostWorker;

/**
 * Asks the worker, as an effect of this id, and holds this thread until its answer is there: JSON of an `EffectAnswer`. The
 * run's limits end it meanwhile as they end any code that does not yield.
 */
export const askWorker = (id: number, head: string): string =>
  apply(applySyncPromise, hostWorker, [undefined, [id, head]]) as string;
