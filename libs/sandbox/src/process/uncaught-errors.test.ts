import { expect, test } from "vitest";
import { UncaughtErrors } from "./uncaught-errors.ts";

const all = (errors: UncaughtErrors): string[] => {
  const texts: string[] = [];
  for (let text = errors.take(); text !== null; text = errors.take()) texts.push(text);
  return texts;
};

test("what nobody caught is told in order, what was caught late is not", () => {
  const errors = new UncaughtErrors();
  for (const text of ["a", "b", "b"]) expect(errors.hold(new Error(text))).toBeNull();
  errors.hold("a text");
  errors.caught("error b");
  expect(all(errors)).toEqual(["Error: a", "Error: b", "error"]);
});

test("a catch that is heard before its error counts, until nothing runs any more", () => {
  const errors = new UncaughtErrors();
  errors.caught("error a");
  errors.hold(new Error("a"));
  errors.caught("error b");
  errors.settle();
  errors.hold(new Error("b"));
  expect(all(errors)).toEqual(["Error: b"]);
});

test("too many don't wait, and catches of nothing are forgotten", () => {
  const errors = new UncaughtErrors();
  for (let n = 0; n < 100; n += 1) expect(errors.hold(new Error(`${n}`))).toBeNull();
  expect(errors.hold(new Error("more"))).toBe("Error: 0");
  for (let n = 0; n < 1_000; n += 1) errors.caught(`error none ${n}`);
  errors.hold(new Error("none 999"));
  expect(all(errors).slice(-2)).toEqual(["Error: more", "Error: none 999"]);
});
