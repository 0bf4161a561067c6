import { expect, test } from "vitest";
import { announcingEventId, compareEventIds, HOLDER_FIRST_EVENT, outsiderEndEventId } from "./event.ts";

test("event ids are ordered by attempt, then by number, not as text", () => {
  const ids = ["1-1", "1-2", "1-10", "2-1", "2-9", "10-1"];
  expect(ids.toReversed().toSorted(compareEventIds)).toEqual(ids);
  expect(compareEventIds("3-4", "3-4")).toBe(0);
});

test("an end from outside is above all that the fenced-off holder can still say, and above a retry's announcement", () => {
  const attempt = 3;
  const end = outsiderEndEventId(attempt);
  expect(compareEventIds(end, `${attempt}-999999999999999`)).toBeGreaterThan(0);
  expect(compareEventIds(end, announcingEventId(attempt + 1))).toBeGreaterThan(0);
});

test("an attempt is announced before its holder speaks", () => {
  expect(compareEventIds(announcingEventId(2), `2-${HOLDER_FIRST_EVENT}`)).toBeLessThan(0);
});
