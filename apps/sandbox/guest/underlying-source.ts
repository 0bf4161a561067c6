/** Where a stream's chunks come from, as the standard names its parts. */
export interface UnderlyingSource {
  start?: (controller: StreamController) => unknown;
  pull?: (controller: StreamController) => unknown;
  cancel?: (reason: unknown) => unknown;
}
/** What a source is handed to fill its stream with. */
export interface StreamController {
  readonly desiredSize: number | null;
  enqueue(chunk: unknown): void;
  close(): void;
  error(reason?: unknown): void;
}

/** The tool's own source, whose methods are looked up once and called on it. */
export function bindSource(source: UnderlyingSource | null): UnderlyingSource {
  const { start, pull, cancel } = source ?? {};
  return {
    ...(start === undefined ? {} : { start: start.bind(source) }),
    ...(pull === undefined ? {} : { pull: pull.bind(source) }),
    ...(cancel === undefined ? {} : { cancel: cancel.bind(source) }),
  };
}

/** One item for each question; giving the stream up ends the iteration. */
export function iterableSource(iterable: AsyncIterable<unknown> | Iterable<unknown>): UnderlyingSource {
  const items = (async function* () {
    yield* iterable;
  })();
  const pull = async (controller: StreamController): Promise<void> => {
    const { done, value } = await items.next();
    if (done === true) controller.close();
    else controller.enqueue(value);
  };
  return { pull, cancel: () => items.return() };
}
