import { MCP_MESSAGE_BYTES_MAX, MCP_MESSAGE_PARTS_MAX } from "@bulkhead/core";
import { describe, expect, it } from "vitest";
import { EventGauge } from "./event-gauge.ts";

const HALF = Buffer.alloc(MCP_MESSAGE_BYTES_MAX / 2 + 1, "x");

describe("an answer", () => {
  it("that is one document is bounded as a whole", () => {
    const gauge = new EventGauge("application/json", () => MCP_MESSAGE_BYTES_MAX);
    gauge.take(HALF);
    gauge.take(Buffer.from("\n\n"));
    expect(() => gauge.take(HALF)).toThrow("is larger than");
  });

  it("that is a stream is bounded event by event", () => {
    const gauge = new EventGauge("text/event-stream; charset=utf-8", () => MCP_MESSAGE_BYTES_MAX);
    for (let i = 0; i < 5; i += 1) {
      gauge.take(Buffer.from("data: "));
      gauge.take(HALF);
      gauge.take(Buffer.from(i % 2 === 0 ? "\r\n\r\n" : "\n\n"));
    }
    gauge.take(HALF);
    // Lines that look empty, and comments, end no event.
    for (const trick of ["\n   \n", " \n", ": ping\n", "\rx\n"]) gauge.take(Buffer.from(trick));
    expect(() => gauge.take(HALF)).toThrow("is larger than");
  });

  it("that is a stream is bounded where its last part ends the event, too", () => {
    const gauge = new EventGauge("text/event-stream", () => MCP_MESSAGE_BYTES_MAX);
    gauge.take(HALF);
    expect(() => gauge.take(Buffer.concat([HALF, Buffer.from("\n\n")]))).toThrow("is larger than");
  });

  it("is bounded by the names, objects and lists of a message, which its texts are none of", () => {
    const many = Buffer.from(`[${"{},".repeat(MCP_MESSAGE_PARTS_MAX / 2)}1]`);
    const text = Buffer.from(JSON.stringify({ text: many.toString() }));
    const document = new EventGauge("application/json", () => MCP_MESSAGE_BYTES_MAX);
    document.take(text);
    document.take(many);
    expect(() => document.take(many)).toThrow("names, objects and lists");
    const stream = new EventGauge("text/event-stream", () => MCP_MESSAGE_BYTES_MAX);
    for (let n = 0; n < 3; n += 1)
      for (const part of [Buffer.from('id: "\rdata: '), many, Buffer.from("\n\n")]) stream.take(part);
    stream.take(many);
    expect(() => stream.take(many)).toThrow("names, objects and lists");
  });

  it.each([
    ["id: 7\ndata: x\n\n", true],
    [": id:\ndata: id:\n\n", false],
    ["data: x\nid:", false],
  ])("tells whether its events have names: %j", (text, expected) => {
    const gauge = new EventGauge("text/event-stream", () => MCP_MESSAGE_BYTES_MAX);
    for (const byte of Buffer.from(text)) gauge.take(Buffer.from([byte]));
    expect(gauge.hasEventId).toBe(expected);
  });
});
