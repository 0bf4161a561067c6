import type { ReadResult } from "./stream-core.ts";
import type { StreamController, UnderlyingSource } from "./underlying-source.ts";

/** What of a stream's reader is needed to share its chunks. */
interface ChunkReader {
  read(): Promise<ReadResult>;
  cancel(reason: unknown): Promise<undefined>;
}

/** The sources of two streams that get the same chunks, the second one through `copy`. */
export function teeSources(
  reader: ChunkReader,
  copy: (chunk: unknown) => unknown,
): [UnderlyingSource, UnderlyingSource] {
  const branches: { controller: StreamController; copy: (chunk: unknown) => unknown; isOpen: boolean }[] = [];
  const cancelled = Promise.withResolvers<undefined>();
  const reasons: unknown[] = [];
  let pulling: Promise<void> | null = null;
  const pullOnce = async (): Promise<void> => {
    try {
      const { done, value } = await reader.read();
      for (const branch of branches.filter(({ isOpen }) => isOpen))
        if (done) branch.controller.close();
        else branch.controller.enqueue(branch.copy(value));
      if (done) cancelled.resolve(undefined);
    } catch (error) {
      for (const { controller } of branches) controller.error(error);
      cancelled.resolve(undefined);
    } finally {
      pulling = null;
    }
  };
  const cancel = (at: number, reason: unknown): Promise<undefined> => {
    const branch = branches[at];
    if (branch) branch.isOpen = false;
    reasons[at] = reason;
    if (branches.every(({ isOpen }) => !isOpen)) cancelled.resolve(reader.cancel(reasons));
    return cancelled.promise;
  };
  const branch = (at: number, copyChunk: (chunk: unknown) => unknown): UnderlyingSource => ({
    start: (controller) => void (branches[at] = { controller, copy: copyChunk, isOpen: true }),
    pull: () => (pulling ??= pullOnce()),
    cancel: (reason) => cancel(at, reason),
  });
  return [branch(0, (chunk) => chunk), branch(1, copy)];
}
