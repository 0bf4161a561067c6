import { TEXT_CHARS_MAX } from "./bounds.ts";
import { apply, ErrorCtor } from "./primordials.ts";

/** Tells the host something and goes on at once. Bound per context before anything else runs. */
export type Post = (operation: string, id: number, text: string, more: string) => void;
/** Asks the host and waits for its answer, which is text; it never throws. */
export type Ask = (operation: string, text: string, more: string) => string;

/** isolated-vm's reference to a function of the process; it must never be within a tool's reach. */
interface HostReference {
  applySyncPromise: (receiver: undefined, values: unknown[]) => unknown;
}

/** The host's functions, in a place to which no name of the tool's scope leads. */
interface Host {
  post: Post;
  ask: Ask;
  /** Null if the tool names nothing that uses it. */
  worker: HostReference | null;
  applySyncPromise: HostReference["applySyncPromise"] | undefined;
}
let host: Host;

/** Ties a context that was made from the snapshot to its process; nothing of the guest speaks before. */
export function connectBridge(post: Post, ask: Ask, worker: HostReference | null): void {
  host = { post, ask, worker, applySyncPromise: worker?.applySyncPromise };
}

export const ask: Ask = (operation, text, more) => host.ask(operation, bounded(text), more);

function bounded(text: string): string {
  if (text.length > TEXT_CHARS_MAX) throw new RangeError(`a text of ${text.length} characters is too long`);
  return text;
}

/** Posts wait in a queue of the host's; a tool that posts without end pauses now and then until they have been read. */
const POSTS_PER_PAUSE = 256;
let posts = 0;

export const post: Post = (operation, id, text, more) => {
  host.post(operation, id, bounded(text), bounded(more));
  if (++posts % POSTS_PER_PAUSE === 0) host.ask("pause", "", "");
};

/**
 * Asks the worker, as an effect of this id, and holds this thread until its answer is there: JSON of an `EffectAnswer`. The
 * run's limits end it meanwhile as they end any code that does not yield.
 */
export function askWorker(id: number, head: string): string {
  const { worker, applySyncPromise } = host;
  // Only a global that the tool names leads here, and with it comes the reference.
  if (worker === null || applySyncPromise === undefined) throw new ErrorCtor("the worker can't be asked");
  return apply(applySyncPromise, worker, [undefined, [id, head]]) as string;
}
