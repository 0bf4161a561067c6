import { expect, test } from "vitest";
import { decodeEvent, decodeMessage, encodeEvent } from "./event-codec.ts";
import { anEnd, anExecution, aLog } from "./fixtures/stream-examples.ts";

const execution = anExecution({ status: "succeeded", result: "x", endEventId: "1-9" });

test("an event comes back as it was, a terminal one with the dates of its execution", () => {
  const end = anEnd(execution);
  expect(decodeEvent(encodeEvent(end))).toEqual(end);
  expect(decodeEvent(encodeEvent(aLog(execution, "1-2")))).toEqual(aLog(execution, "1-2"));
});

test("a large terminal event travels without its execution", () => {
  const large = anEnd({ ...execution, result: "x".repeat(65_536) });
  expect(encodeEvent(large).length).toBeLessThan(500);
  expect(decodeEvent(encodeEvent(large))).toMatchObject({ type: "execution.succeeded", id: "1-9" });
});

test("of an end that an older process wrote, which knows of nothing that is erased, nothing is", () => {
  const { erased: _erased, ...older } = execution;
  expect(decodeEvent(JSON.stringify(anEnd(older as typeof execution)))).toEqual(anEnd(execution));
});

test("a text with line breaks stays one line of a message", () => {
  const event = { ...aLog(execution, "1-2"), text: 'a\nb\r\n","type":"execution.failed"' };
  const message = decodeMessage(["1-1", encodeEvent(event)].join("\n"));
  expect(message).toEqual({ after: "1-1", events: [event] });
});

test.each(["", "x", "null", "[]", "1", '{"id":"x","type":"execution.log"}', '{"id":"1-1"}'])(
  "%j is no event",
  (text) => {
    expect(decodeEvent(text)).toBeNull();
    expect(decodeMessage(`1-1\n${text}`)).toBeNull();
    expect(decodeMessage(text)).toBeNull();
  },
);
