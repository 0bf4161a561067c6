import { defineProperty } from "./primordials.ts";

/** The fields that the library keeps on its objects, by class. */
const FIELDS: Readonly<Record<string, string>> = {
  ReadableStream: "state reader storedError disturbed readableStreamController",
  ReadableStreamDefaultReader:
    "ownerReadableStream closedPromise_resolve closedPromise_reject closedPromise readRequests",
  ReadableStreamBYOBReader:
    "ownerReadableStream closedPromise_resolve closedPromise_reject closedPromise readIntoRequests",
  ReadableStreamDefaultController:
    "controlledReadableStream queue queueTotalSize started closeRequested pullAgain pulling strategySizeAlgorithm " +
    "strategyHWM pullAlgorithm cancelAlgorithm",
  ReadableByteStreamController:
    "controlledReadableByteStream pullAgain pulling byobRequest queueTotalSize queue closeRequested started strategyHWM " +
    "pullAlgorithm cancelAlgorithm autoAllocateChunkSize pendingPullIntos",
  ReadableStreamBYOBRequest: "associatedReadableByteStreamController view",
  WritableStream:
    "state storedError writer writableStreamController writeRequests inFlightWriteRequest closeRequest " +
    "inFlightCloseRequest pendingAbortRequest backpressure",
  WritableStreamDefaultWriter:
    "ownerWritableStream readyPromise_resolve readyPromise_reject readyPromise readyPromiseState closedPromise_resolve " +
    "closedPromise_reject closedPromiseState closedPromise",
  WritableStreamDefaultController:
    "controlledWritableStream queue queueTotalSize abortReason abortController started strategySizeAlgorithm " +
    "strategyHWM writeAlgorithm closeAlgorithm abortAlgorithm",
  TransformStream:
    "writable readable backpressure backpressureChangePromise backpressureChangePromise_resolve transformStreamController",
  TransformStreamDefaultController:
    "controlledTransformStream transformAlgorithm flushAlgorithm cancelAlgorithm finishPromise finishPromise_resolve " +
    "finishPromise_reject",
  CountQueuingStrategy: "countQueuingStrategyHighWaterMark",
  ByteLengthQueuingStrategy: "byteLengthQueuingStrategyHighWaterMark",
};

/**
 * Hides the library's fields on its own objects from JSON, logs, copies and loops of a tool: the first write of a field
 * makes one that isn't enumerable.
 */
export function hideFields(Class: { readonly prototype: object; readonly name: string }): void {
  for (const field of FIELDS[Class.name]?.split(" ") ?? []) {
    const key = `_${field}`;
    defineProperty(Class.prototype, key, {
      get: () => undefined,
      set(this: object, value: unknown) {
        defineProperty(this, key, { value, writable: true, configurable: true, enumerable: false });
      },
      configurable: true,
      enumerable: false,
    });
  }
}
