import { expect, test } from "vitest";
import {
  announcingEventId,
  compareEventIds,
  endEventOf,
  HOLDER_FIRST_EVENT,
  outsiderEndEventId,
} from "./event.ts";
import type { Execution } from "../execution/execution.ts";

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

test("an end counts itself to the attempt that its id names, whoever ended it", () => {
  const ended = (attempt: number, endEventId: string) =>
    endEventOf({
      executionId: "exe_1",
      status: "cancelled",
      attempt,
      endEventId,
      createdAt: new Date(0),
      finishedAt: new Date(1),
    } as Execution);
  expect(ended(1, outsiderEndEventId(1))).toMatchObject({ id: "2-2", attempt: 2 });
  expect(ended(0, outsiderEndEventId(0))).toMatchObject({ id: "1-2", attempt: 1 });
  expect(ended(3, "3-17")).toMatchObject({ id: "3-17", attempt: 3 });
});

test("an attempt is announced before its holder speaks", () => {
  expect(compareEventIds(announcingEventId(2), `2-${HOLDER_FIRST_EVENT}`)).toBeLessThan(0);
});
