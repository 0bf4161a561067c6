import ivm from "isolated-vm";

/** A context that the guest is installed in and no tool's code has seen. */
export interface FreshContext {
  context: ivm.Context;
  /** The guest's one door: `enter(name, …text)`. */
  enter: ivm.Reference<(...args: unknown[]) => unknown>;
  /** Connects the context's bridge to the run that takes it; before that, and after the run, it leads nowhere. */
  bridge: Bridge;
  /** Whether its guest can hold its thread for the worker. */
  asksWorker: boolean;
}

/** Functions that the guest may call; strings in, strings out, and they never throw. */
export interface Bridge {
  post: (operation: string, id: number, text: string, more: string) => void;
  ask: (operation: string, text: string, more: string) => string;
  /** The guest's thread waits for it. */
  askWorker: (id: number, head: string) => Promise<string>;
}

/** Lets go of a context and of the door into it; nothing of either can be used any more. */
export function releaseContext({ enter, context }: FreshContext): void {
  enter.release();
  context.release();
}

/** A bridge that leads nowhere. */
export const nowhere = (): Bridge => ({
  post: () => undefined,
  ask: () => "null",
  askWorker: () => Promise.resolve("null"),
});

/** The type of `Bridge.askWorker` in a guest. */
type WorkerReference = ivm.Reference<(id: number, head: string) => Promise<string>>;

/**
 * Installs the guest that `takeGuest` finds in a context of the snapshot's. Without `worker` the guest can't ask it: a
 * reference is a class of many methods, which V8 makes anew in each context, a fortieth of a run.
 */
export function connectContext(
  takeGuest: ivm.Script,
  context: ivm.Context,
  worker: WorkerReference | null,
): FreshContext {
  const bridge = nowhere();
  const connect = takeGuest.runSync(context, { reference: true }) as ivm.Reference<
    (post: unknown, ask: unknown, worker: unknown) => (...args: unknown[]) => unknown
  >;
  const post = new ivm.Callback(
    (operation: string, id: number, text: string, more: string) => bridge.post(operation, id, text, more),
    { ignored: true },
  );
  const ask = new ivm.Callback(
    (operation: string, text: string, more: string) => bridge.ask(operation, text, more),
    { sync: true },
  );
  const enter = connect.applySync(undefined, [post, ask, worker], { result: { reference: true } });
  connect.release();
  return { context, enter, bridge, asksWorker: worker !== null };
}
