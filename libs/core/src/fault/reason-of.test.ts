import { expect, test } from "vitest";
import { reasonOf } from "./reason-of.ts";

test.each<[string, unknown, string]>([
  ["an error", new Error("no route"), "no route"],
  [
    "several at once",
    new AggregateError([new Error("not ::1"), new Error("not 127.0.0.1")]),
    "not ::1; not 127.0.0.1",
  ],
  ["several of none", new AggregateError([], "none worked"), "none worked"],
  ["what is no error", 7, "7"],
])("%s", (_, error, reason) => expect(reasonOf(error)).toBe(reason));
