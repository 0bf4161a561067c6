import { presentExecution } from "../follow/present-execution.ts";
import { expect, test } from "vitest";
import { CALLBACK_BODY_BYTES_MAX, eventBodyOf } from "./event-body.ts";
import { sampleEnded } from "./fixtures/deliveries.ts";

const LARGE = "ö".repeat(CALLBACK_BODY_BYTES_MAX / 2);

test("an event tells its type, when it happened, and the execution as the API shows it", () => {
  const ended = sampleEnded({ status: "timed_out", finishedAt: new Date(3_000) });
  expect(JSON.parse(eventBodyOf(ended))).toEqual({
    type: "execution.timed_out",
    timestamp: "1970-01-01T00:00:03.000Z",
    data: JSON.parse(JSON.stringify(presentExecution(ended))),
  });
});

test("an event is the same at every try", () => {
  expect(eventBodyOf(sampleEnded())).toBe(eventBodyOf(sampleEnded()));
});

test.each([
  ["a result", { result: LARGE }, ["result"]],
  ["arguments", { arguments: { LARGE } }, ["result", "arguments"]],
  [
    "everything",
    { result: LARGE, arguments: { LARGE }, error: { code: "tool.threw" as const, message: LARGE } },
    ["result", "arguments", "error"],
  ],
])("%s too large for it is left out, with a flag and a link", (_what, fields, omitted) => {
  const body = eventBodyOf(sampleEnded(fields));
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(CALLBACK_BODY_BYTES_MAX);
  const { data } = JSON.parse(body);
  expect(data).toMatchObject({
    id: "exe_01",
    omitted,
    links: { self: "/api/v1/executions/exe_01" },
    result: null,
  });
});
