import { array, assert, asyncProperty, constantFrom, oneof, string } from "fast-check";
import { expect, test } from "vitest";
import { judgeCommand } from "./judge-command.ts";

const TOO_MUCH = "its variables, braces and scripts stand for too much text";

test.each([
  ["a;".repeat(1_001), "more than 1000 commands"],
  ["sh|".repeat(5_000), "more than 1000 commands"],
  [`d=x; c=${"$d".repeat(1_500)}; b=${"$c".repeat(1_500)}; a=${"$b".repeat(1_500)}; echo $a`, TOO_MUCH],
  [`a="${"x ".repeat(999)}"; b="${"$a".repeat(999)}"; c="${"$b".repeat(999)}"; echo "$c"`, TOO_MUCH],
])("a short line that is much work is refused: %#", async (command, message) => {
  const judged = judgeCommand(command);
  expect(judged).toMatchObject({ because: "unreadable", message: expect.stringContaining(message) });
});

test("scripts within a line, and what rules say of them, are bounded together", async () => {
  const scripts = Array.from({ length: 20 }, (_, n) => `sh -c "$A ${n}"`).join("; ");
  const rules = Array.from({ length: 500 }, (_, n) => ({ pattern: `x${n} *`, approval: "ask" }) as const);
  const judged = judgeCommand(`A='${"a;".repeat(900)}'; ${scripts}`, rules);
  expect(judged).toMatchObject({ because: "unreadable", message: expect.stringContaining(TOO_MUCH) });
});

const WORDS = [
  "rm",
  "-rf",
  "sh",
  "|",
  "&&",
  ";",
  "$(",
  ")",
  "`",
  "'",
  '"',
  "{",
  "}",
  "<<E",
  "\n",
  "E",
  "${x",
  "((",
  ">",
  "/dev/sda",
  "\\",
  "curl",
  "[[",
  "]]",
  "a=",
  "&",
  "if",
  "then",
  "fi",
  "*",
  "~",
  "#",
  "é",
  "\u2028",
];

test("any text is judged, in bounded time, without a fault of ours", async () => {
  const line = oneof(
    string({ maxLength: 200 }),
    array(constantFrom(...WORDS, " "), { maxLength: 60 }).map((words) => words.join("")),
    array(constantFrom(...WORDS), { maxLength: 60 }).map((words) => words.join(" ")),
  );
  await assert(
    asyncProperty(line, async (command) => {
      const judged = judgeCommand(command, [{ pattern: "git *", approval: "ask" }]);
      expect(["run", "refuse"]).toContain(judged.verdict);
    }),
    { numRuns: 500 },
  );
});
