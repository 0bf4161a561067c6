import { describe, expect, it } from "vitest";
import { describeError, describeThrown, refusedError } from "./errors.ts";

const bare = (error: Error): Error => Object.assign(error, { stack: undefined });
const aggregate = (reasons: unknown, message = "none worked"): Error =>
  bare(Object.assign(new AggregateError([], message), { errors: reasons }));
const unreadable = {
  get message(): string {
    throw new Error("mine");
  },
};

describe("an AggregateError is told with its reasons", () => {
  it.each<[string, unknown, string]>([
    [
      "errors and others",
      [bare(new TypeError("a")), "b", { c: 1 }, null],
      "[TypeError: a; Error: b; Error: { c: 1 }; Error: null]",
    ],
    [
      "the first ten",
      Array.from({ length: 12 }, (_, at) => at),
      `[${Array.from({ length: 10 }, (_, at) => `Error: ${at}`).join("; ")}; … 2 more]`,
    ],
    ["those that can be read", [1, unreadable, 2], "[Error: 1; [unreadable]; Error: 2]"],
    ["but not those of its reasons", [aggregate([1], "inner")], "[AggregateError: inner]"],
  ])("%s", (_, reasons, told) => {
    expect(describeError(aggregate(reasons)).text).toBe(`AggregateError: none worked ${told}`);
  });

  it.each<[string, unknown]>([
    ["an empty list", []],
    ["what is no list", "ab"],
  ])("and as any error where it holds %s", (_, reasons) => {
    expect(describeError(aggregate(reasons)).text).toBe("AggregateError: none worked");
  });

  it("within the bound of every error, cut at its end alone", () => {
    const { text } = describeError(aggregate(Array.from({ length: 1_000 }, () => "x".repeat(5_000))));
    expect(text).toMatch(/^AggregateError: none worked \[Error: x{1800,1900} … \(cut\)$/);
  });

  it("a reason's place in the tool's code goes along", () => {
    const reason = Object.assign(new RangeError("r"), { stack: "RangeError: r\n    at f (tool.js:3:7)" });
    expect(describeError(aggregate([reason])).text).toBe(
      "AggregateError: none worked [RangeError: r (tool.js:3:7)]",
    );
  });
});

describe("an error is told with its cause", () => {
  const caused = (message: string, cause: unknown): Error => bare(new Error(message, { cause }));

  it.each<[string, unknown, string]>([
    ["an error", bare(new TypeError("b")), "[cause: TypeError: b]"],
    ["a text", "b", "[cause: Error: b]"],
    ["null", null, "[cause: Error: null]"],
    ["an object", { c: 1 }, "[cause: Error: { c: 1 }]"],
    ["what can't be read", unreadable, "[cause: unreadable]"],
    [
      "causes of its own, three deep",
      caused("b", caused("c", caused("d", 1))),
      "[cause: Error: b [cause: Error: c [cause: Error: d]]]",
    ],
    [
      "its place",
      Object.assign(new Error("b"), { stack: "x\n at tool.js:3:7" }),
      "[cause: Error: b (tool.js:3:7)]",
    ],
  ])("%s", (_, cause, told) => {
    expect(describeError(caused("a", cause)).text).toBe(`Error: a ${told}`);
  });

  it("once for each step of a circle", () => {
    const circle: Error = caused("a", undefined);
    circle.cause = circle;
    expect(describeError(circle).text).toBe(`Error: a${" [cause: Error: a".repeat(3)}]]]`);
  });

  it("behind its reasons", () => {
    const error = Object.assign(aggregate([1]), { cause: 2 });
    expect(describeError(error).text).toBe("AggregateError: none worked [Error: 1] [cause: Error: 2]");
  });

  it("within the bound of every error, cut at its end alone", () => {
    const { text } = describeError(caused("a", caused("x".repeat(5_000), "y".repeat(5_000))));
    expect(text).toMatch(/^Error: a \[cause: Error: x{1800,1900} … \(cut\)$/);
    expect(text.length).toBeLessThan(1_920);
  });

  it("but what is no error has none", () => {
    expect(describeError({ message: "m", cause: 1 }).text).toBe("Error: m");
  });
});

it("a list of errors on any other error is its own", () => {
  expect(describeError(Object.assign(bare(new Error("m")), { errors: [1] })).text).toBe("Error: m");
});

it("a refused request keeps its code", () => {
  expect(describeError(bare(refusedError("egress_denied", "no")))).toEqual({
    text: "TypeError: no",
    code: "egress_denied",
  });
});

describe("what ended the run is told with the tool's own frames", () => {
  const thrown = (...frames: string[]): Error =>
    Object.assign(new RangeError("r"), {
      stack: ["RangeError: r", ...frames.map((frame) => `    at ${frame}`)].join("\n"),
    });
  const told = (error: unknown): string => describeThrown(error).text;

  it("in order, without those of others", () => {
    const error = thrown(
      "inner (tool.js:3:7)",
      "guest.js:9:9",
      "Array.map (<anonymous>)",
      "async Made.run [as go] (tool.js:5:1)",
      "async tool.js:9:3",
    );
    expect(told(error)).toBe(
      "RangeError: r (tool.js:3:7)\n    at inner (tool.js:3:7)\n    at async Made.run [as go] (tool.js:5:1)\n    at async tool.js:9:3",
    );
    expect(describeError(error).text).toBe("RangeError: r (tool.js:3:7)");
  });

  it.each<[string, Error]>([
    ["one frame", thrown("tool.js:3:7", "guest.js:9:9")],
    [
      "frames that it made up",
      thrown("tool.js:3:7", "x (tool.js:1:1) and more", "/etc/passwd (tool.js:1:1)"),
    ],
  ])("but with its place alone where it has %s", (_, error) => {
    expect(told(error)).toBe("RangeError: r (tool.js:3:7)");
  });

  it("ten of them at most", () => {
    const error = thrown(...Array.from({ length: 30 }, (_, at) => `f (tool.js:${at + 1}:1)`));
    expect(told(error).split("\n")).toHaveLength(11);
  });

  it("within the bound of every error", () => {
    const frames = Array.from({ length: 10 }, () => `${"f".repeat(95)} (tool.js:1:1)`);
    const error = Object.assign(thrown(...frames), { message: "x".repeat(1_500) });
    expect(told(error).length).toBeLessThan(1_900);
    expect(told(Object.assign(thrown(...frames), { message: "x".repeat(5_000) }))).toMatch(
      /^RangeError: x{1800,1900} … \(cut\) \(tool\.js:1:1\)$/,
    );
  });

  it("and as ever where it is no error", () => {
    expect([told(null), told("t"), told({ message: "m", stack: 5 })]).toEqual([
      "Error: null",
      "Error: t",
      "Error: m",
    ]);
  });
});
