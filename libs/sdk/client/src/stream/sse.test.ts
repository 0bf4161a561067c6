import { expect, test } from "vitest";
import { readFrames, type Frame } from "./sse.ts";

const TEXT =
  ': alive\n\nretry: 0\nid: 1-1\nevent: a\ndata: {"t":"é😀"}\n\ndata:one\ndata\ndata:  two\n\nid: 1-2\n\n';
const TOLD = [
  { retryMs: 0, id: "1-1", event: "a", data: '{"t":"é😀"}' },
  { data: "one\n\n two" },
  { id: "1-2" },
];

async function framesOf(chunks: Uint8Array[]): Promise<Partial<Frame>[]> {
  const frames: Partial<Frame>[] = [];
  for await (const frame of readFrames(ReadableStream.from(chunks), () => undefined)) {
    const said = Object.fromEntries(Object.entries(frame).filter(([, value]) => value !== undefined));
    if (Object.keys(said).length > 0) frames.push(said);
  }
  return frames;
}

test.each(["\n", "\r\n", "\r"])(
  "events are read wherever the bytes are cut, with lines that end in %j",
  async (end) => {
    const bytes = new TextEncoder().encode(`${TEXT.replaceAll("\n", end)}: after it`);
    for (const size of [1, 2, 3, 7, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      expect(await framesOf(chunks)).toEqual(TOLD);
    }
  },
);

test("what the end cuts off is no event", async () => {
  const bytes = new TextEncoder().encode('data: 1\n\nevent: a\ndata: {"half":');
  expect(await framesOf([bytes])).toEqual([{ data: "1" }]);
});
