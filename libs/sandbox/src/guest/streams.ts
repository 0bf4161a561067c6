import * as library from "web-streams-polyfill";
import { hideFields } from "./stream-fields.ts";

const CLASSES = [
  library.ReadableStream,
  library.ReadableStreamDefaultReader,
  library.ReadableStreamBYOBReader,
  library.ReadableStreamDefaultController,
  library.ReadableByteStreamController,
  library.ReadableStreamBYOBRequest,
  library.WritableStream,
  library.WritableStreamDefaultWriter,
  library.WritableStreamDefaultController,
  library.TransformStream,
  library.TransformStreamDefaultController,
  library.CountQueuingStrategy,
  library.ByteLengthQueuingStrategy,
];
for (let i = 0; i < CLASSES.length; i++) hideFields(CLASSES[i] as (typeof CLASSES)[number]);

/** The standard's streams, by the library that follows its reference implementation. */
export const {
  ReadableStream,
  WritableStream,
  TransformStream,
  CountQueuingStrategy,
  ByteLengthQueuingStrategy,
} = library;

/** The library notes here that a stream was read or cancelled. */
interface Disturbable {
  _disturbed: boolean;
}

export const isDisturbed = (stream: library.ReadableStream): boolean =>
  (stream as unknown as Disturbable)._disturbed;

/** Two streams of the same bytes that share no chunk, so that a tool may change the chunks it reads. */
export function teeStream(stream: library.ReadableStream): [library.ReadableStream, library.ReadableStream] {
  const [first, second] = stream.tee();
  const reader = second.getReader();
  const copying = new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value instanceof Uint8Array ? value.slice() : value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return [first, copying];
}
