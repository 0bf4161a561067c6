import { expect, test } from "vitest";
import {
  faultOf,
  firstPattern,
  firstPointer,
  isCommand,
  pointersOf,
  scopeWords,
  textAt,
} from "./standing-scope.ts";

const ARGS = { command: "git push", "a/b~c": [1, { z: 1, a: 2 }] };
const TOOL = { toolId: "tool_1", toolName: "shell", toolVersion: 3, arguments: {} };

test("each argument has a pointer, and the text that a pattern is held against", () => {
  expect(pointersOf(ARGS)).toEqual(["/command", "/a~1b~0c"]);
  expect(pointersOf(ARGS).map((pointer) => textAt(ARGS, pointer))).toEqual(["git push", '[1,{"a":2,"z":1}]']);
  expect(textAt({ b: 1, a: 2 }, null)).toBe('{"a":2,"b":1}');
});

test("what a call's arguments are matches it; a slip is told before it is sent", () => {
  const match = (argument: string | null, pattern: string) =>
    faultOf({ kind: "match", argument, pattern }, ARGS);
  for (const pointer of [...pointersOf(ARGS), null]) expect(match(pointer, textAt(ARGS, pointer))).toBeNull();
  expect(match("/command", "git *")).toBeNull();
  expect(match("/command", "git pull")).toBe("This very call does not match.");
  expect(match("/command", "")).toBe("Say what the text must be.");
  expect(match("/command", "*".repeat(513))).toMatch(/^At most 512/);
  expect(faultOf({ kind: "all" }, ARGS)).toBeNull();
});

test("a call that holds a star begins with no pattern, since its own text would let others through", () => {
  const args = { command: "ls *", folder: "/tmp" };
  expect(firstPattern(args, "/command")).toBe("");
  expect(firstPattern(args, null)).toBe("");
  expect(firstPattern(args, "/folder")).toBe("/tmp");
});

test("a scope begins with the whole of a call, whichever argument its author puts first", () => {
  expect(firstPointer({ verbose: true, command: "rm -r /" })).toBeNull();
  expect(firstPointer({ command: "ls" })).toBe("/command");
  expect(firstPointer({})).toBeNull();
  expect(faultOf({ kind: "match", argument: null, pattern: firstPattern({}, null) }, {})).toBeNull();
});

test("a command is allowed exactly as it stands, and in the words", () => {
  const call = {
    toolId: null,
    toolName: "exec",
    toolVersion: 0,
    arguments: { command: "git push", cwd: "sub" },
  };
  expect(isCommand(call)).toBe(true);
  expect(scopeWords(call, { kind: "all" })).toBe("the command git push, in sub, exactly");
  expect(isCommand({ ...call, toolId: "tool_1" })).toBe(false);
  expect(isCommand({ ...call, arguments: { action: "list" } })).toBe(false);
});

test("the words say exactly what is allowed", () => {
  expect(scopeWords(TOOL, { kind: "all" })).toBe("every call of shell, version 3, whatever its arguments");
  expect(scopeWords(TOOL, { kind: "match", argument: "/command", pattern: "git *" })).toBe(
    "calls of shell, version 3, where the argument /command is like git *",
  );
  expect(scopeWords(TOOL, { kind: "match", argument: null, pattern: "{}" })).toBe(
    "calls of shell, version 3, where all arguments, as JSON with sorted names, are exactly {}",
  );
});
