import { openScrubbers } from "@bulkhead/scrub";
import { pino } from "pino";
import { expect, test } from "vitest";
import { coveredLines } from "./covered-lines.ts";

const TOKEN = "AKIAABCDEFGHIJKLMNOP";

/** The line that a child logger with these serializers writes. */
function lineOf(bindings: object): string {
  let line = "";
  const parent = pino({ level: "info" }, { write: (text: string) => void (line = text) });
  const scrubber = openScrubbers().open({ needles: [], patterns: [] });
  parent.child({ area: "http" }, { serializers: coveredLines(scrubber) }).error(bindings, "said");
  return line;
}

test("an error without a secret is told whole, with its stack", () => {
  const { err } = JSON.parse(lineOf({ err: new Error("plain") }));
  expect(err).toMatchObject({ message: "plain", stack: expect.stringContaining("covered-lines.test.ts") });
});

test.each([
  ["its message", { err: new Error(`said ${TOKEN}`) }],
  ["a cause", { err: new Error("outer", { cause: new Error(TOKEN) }) }],
  ["what was said for the log only", { internal: `it was ${TOKEN}` }],
])("a token in %s is covered", (_where, bindings) => {
  const line = lineOf(bindings);
  expect(line).not.toContain(TOKEN);
  expect(line).toContain("[REDACTED]");
});
