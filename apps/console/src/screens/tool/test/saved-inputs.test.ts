import { beforeEach, expect, test } from "vitest";
import { forgetInput, forgetInputs, savedInputs, saveInput } from "./saved-inputs.ts";

const kept = new Map<string, string>();
const store = {
  readOwn: (key: string) => kept.get(key) ?? null,
  keepOwn: (key: string, value: string) => kept.set(key, value) === kept,
};
const input = (name: string, toolId = "tool_1") => ({ toolId, name, text: `{"name":"${name}"}` });
const namesOf = (toolId: string) => savedInputs(store, toolId).map(({ name }) => name);

beforeEach(() => kept.clear());

test("the newest stands first, and a name is there once", () => {
  for (const name of ["a", "b", "a"]) saveInput(store, input(name));
  expect(namesOf("tool_1")).toEqual(["a", "b"]);
});

test("each tool has its own, and forgets one by its name", () => {
  saveInput(store, input("a"));
  saveInput(store, input("a", "tool_2"));
  forgetInput(store, input("a"));
  expect([namesOf("tool_1"), namesOf("tool_2")]).toEqual([[], ["a"]]);
});

test("of a tool that is gone all is forgotten", () => {
  for (const name of ["a", "b"]) saveInput(store, input(name));
  saveInput(store, input("a", "tool_2"));
  forgetInputs(store, "tool_1");
  expect([...kept.values()]).toEqual([JSON.stringify([input("a", "tool_2")])]);
});

test("of a tool twenty are kept, of all tools a hundred", () => {
  for (let n = 0; n < 25; n += 1) saveInput(store, input(`n${n}`));
  expect([namesOf("tool_1").length, namesOf("tool_1")[0]]).toEqual([20, "n24"]);
  for (let n = 0; n < 100; n += 1) saveInput(store, input("one", `other_${n}`));
  expect(namesOf("tool_1")).toEqual([]);
});

test.each(["", "{", "3", `[{"toolId":1}]`])("%j in the store counts as nothing", (text) => {
  store.keepOwn("inputs", text);
  expect(namesOf("tool_1")).toEqual([]);
  saveInput(store, input("a"));
  expect(namesOf("tool_1")).toEqual(["a"]);
});
