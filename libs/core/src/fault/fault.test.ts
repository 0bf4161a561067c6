import { expect, test } from "vitest";
import { FAULTS, type FaultCode } from "./catalogue.ts";
import { Fault, reasonOf } from "./fault.ts";

const CODES = Object.keys(FAULTS) as FaultCode[];

const isAway = (code: FaultCode) => FAULTS[code].status === 503 && FAULTS[code].retryable;

test.each(CODES.filter(isAway))("%s tells when to come again, wherever it is met", (code) => {
  expect(new Fault(code).retryAfterSeconds).toBe(1);
  expect(new Fault(code, { retryAfterSeconds: 7 }).retryAfterSeconds).toBe(7);
});

test.each(CODES.filter((code) => !isAway(code)))("%s tells it only where it is known", (code) => {
  expect(new Fault(code).retryAfterSeconds).toBeUndefined();
});

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
