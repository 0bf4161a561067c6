import type { BodySource, Content } from "./body-content.ts";
import { streams } from "./body-modules.ts";
import { chunkBytes, type Chunk } from "./chunk.ts";
import type { ReadableStream } from "web-streams-polyfill";

/** A content that is no stream yet, as one; nothing of it is read before somebody asks for it. */
export function streamContent(
  content: Exclude<Content, { stream: unknown }>,
  isUsed: boolean,
): ReadableStream {
  let source = "source" in content ? content.source : sourceOf(content.whole);
  if (isUsed) source = { read: () => Promise.resolve(null), cancel: () => undefined };
  const stream = new (streams().ReadableStream)(
    {
      type: "bytes",
      pull: async (controller) => {
        const part = await source.read();
        if (part !== null) return controller.enqueue(chunkBytes(part));
        controller.close();
        // A reader with a buffer of its own gets it back.
        controller.byobRequest?.respond(0);
      },
      cancel: () => source.cancel(),
    },
    { highWaterMark: 0 },
  );
  // A body that was read is seen as such through its stream too, and nobody else gets it.
  if (isUsed) void stream.getReader().cancel();
  return stream;
}

function sourceOf(whole: Chunk): BodySource {
  let left: Chunk | null = whole.length > 0 ? whole : null;
  const read = (): Promise<Chunk | null> => {
    const part = left;
    left = null;
    return Promise.resolve(part);
  };
  return { read, cancel: () => void read() };
}
