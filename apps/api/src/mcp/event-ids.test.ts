import * as fc from "fast-check";
import { expect, test } from "vitest";
import { callEventId, listEventId, readEventId } from "./event-ids.ts";

const id = fc.oneof(fc.string({ maxLength: 100 }), fc.maxSafeInteger());
const eventId = fc.tuple(fc.nat({ max: 999 }), fc.integer({ min: 1, max: 999_999 }));

test("an event's id says all that another process needs to go on", () => {
  fc.assert(
    fc.property(id, fc.option(id), fc.option(eventId), (requestId, progressToken, told) => {
      const after = told && told.join("-");
      const place = { requestId, progressToken, executionId: "exe_1f", after };
      expect(readEventId(callEventId(place))).toEqual(place);
    }),
  );
  expect(readEventId(listEventId({ mark: "a-b_c" }))).toEqual({ mark: "a-b_c" });
});

test.each([
  ["nothing", ""],
  ["an execution's own event", "1-3"],
  ["another kind", "calls.exe_1.1-1.WzEsbnVsbF0"],
  ["no request", "call.exe_1.1-1."],
  ["a request that is no JSON", "call.exe_1.1-1.bm8"],
  ["a request that is no id", `call.exe_1.1-1.${Buffer.from("[{},null]").toString("base64url")}`],
  ["an event that is none", "call.exe_1.one.WzEsbnVsbF0"],
  ["more than there is", "call.exe_1.1-1.WzEsbnVsbF0.more"],
  ["too much", `tools.${"x".repeat(2_000)}`],
])("of %s nothing is read", (_, said) => {
  expect(readEventId(said)).toBeNull();
});

test("anything at all is read without a fault", () => {
  fc.assert(fc.property(fc.string(), (said) => void readEventId(said)));
});
