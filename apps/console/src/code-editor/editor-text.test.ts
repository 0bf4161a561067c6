import { expect, test } from "vitest";
import { Echoes } from "./editor-text.ts";

test("texts that come back late are known, and one that was never told is new", () => {
  const echoes = new Echoes();
  for (const text of ["a", "ab", "abc"]) echoes.tell(text);
  expect(["a", "ab", "abc", "abc"].map((text) => echoes.isEcho(text))).toEqual([true, true, true, true]);
  expect(echoes.isEcho("ab")).toBe(false);
  expect(echoes.isEcho("a whole new text")).toBe(false);
});

test("a text that is typed, undone and typed again is known each time", () => {
  const echoes = new Echoes();
  for (const text of ["a", "ab", "a"]) echoes.tell(text);
  expect(["a", "ab", "a"].map((text) => echoes.isEcho(text))).toEqual([true, true, true]);
  expect(echoes.isEcho("ab")).toBe(false);
});

test("behind a new text nothing of before is an echo", () => {
  const echoes = new Echoes();
  echoes.tell("old");
  echoes.forget();
  expect(echoes.isEcho("old")).toBe(false);
});

test("of texts that never come back, the latest are kept", () => {
  const echoes = new Echoes();
  for (let count = 0; count < 100; count += 1) echoes.tell(`${count}`);
  expect(echoes.isEcho("0")).toBe(false);
  expect(echoes.isEcho("99")).toBe(true);
});
