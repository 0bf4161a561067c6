import { expect, test } from "vitest";
import { afterEdit, beginHistory, type History, redone, undone } from "./edit-history.ts";

const begun = beginHistory(0);

test("what is typed into one field is one step", () => {
  let history: History = begun;
  for (const schema of [1, 2, 3]) history = afterEdit(history, schema, { about: "a" });
  history = afterEdit(history, 4, { about: "b" });
  expect(undone(history).now.schema).toBe(3);
  expect(undone(undone(history)).now.schema).toBe(0);
  expect(undone(undone(undone(history))).now.schema).toBe(0);
});

test("what was taken back comes again, until something else is done", () => {
  const edited = afterEdit(afterEdit(begun, 1, {}), 2, { note: "two" });
  const back = undone(edited);
  expect(redone(back).now.schema).toBe(2);
  expect(redone(edited).now.schema).toBe(2);
  const other = afterEdit(back, 3, {});
  expect(redone(other).now.schema).toBe(3);
  expect(undone(other).now.schema).toBe(1);
});

test("typing on after a step back is a step of its own", () => {
  const typed = afterEdit(afterEdit(begun, 1, { about: "a" }), 2, { about: "b" });
  expect(undone(afterEdit(undone(typed), 5, { about: "a" })).now.schema).toBe(1);
});
