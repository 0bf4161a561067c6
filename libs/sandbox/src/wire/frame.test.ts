import { describe, expect, it } from "vitest";
import { encodeFrame, FrameDecoder } from "./frame.ts";
import { WireError } from "./wire-error.ts";

const MAX = 1_000;
const prefix = (length: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
};

describe("a frame", () => {
  it("arrives whole when it comes byte by byte, multi-byte characters included", () => {
    const messages = [{ text: "größer als 𝄞" }, {}, [1, 2, 3]];
    const stream = Buffer.concat(messages.map((message) => encodeFrame(message, MAX)));
    const decoder = new FrameDecoder(MAX);
    const texts: string[] = [];
    for (const byte of stream) texts.push(...decoder.push(Buffer.of(byte)));
    expect(texts.map((text) => JSON.parse(text))).toEqual(messages);
    expect(decoder.bufferedBytes).toBe(0);
  });

  it("is told apart from its neighbours in one chunk, and the rest waits for more", () => {
    const one = encodeFrame("one", MAX);
    const two = encodeFrame("two", MAX);
    const decoder = new FrameDecoder(MAX);
    expect([...decoder.push(Buffer.concat([one, two.subarray(0, 6)]))]).toEqual(['"one"']);
    expect([...decoder.push(two.subarray(6))]).toEqual(['"two"']);
  });

  it("of exactly the maximum passes, one byte more is refused by its prefix before anything is kept", () => {
    const decoder = new FrameDecoder(MAX);
    expect([...decoder.push(Buffer.concat([prefix(MAX), Buffer.alloc(MAX, "x")]))]).toHaveLength(1);
    expect(() => [...decoder.push(Buffer.concat([prefix(MAX + 1), Buffer.alloc(500)]))]).toThrow(WireError);
    expect(decoder.bufferedBytes).toBe(0);
  });

  it("over the maximum is never made", () => {
    expect(() => encodeFrame("x".repeat(MAX), MAX)).toThrow(WireError);
  });

  it("that is not UTF-8 is refused", () => {
    const decoder = new FrameDecoder(MAX);
    expect(() => [...decoder.push(Buffer.concat([prefix(2), Buffer.of(0xc3, 0x28)]))]).toThrow(WireError);
  });

  it("before a fault in the same chunk is still handed out", () => {
    const decoder = new FrameDecoder(MAX);
    const texts: string[] = [];
    expect(() => {
      const chunk = Buffer.concat([encodeFrame(1, MAX), prefix(MAX + 1)]);
      for (const text of decoder.push(chunk)) texts.push(text);
    }).toThrow(WireError);
    expect(texts).toEqual(["1"]);
  });
});
