import {
  RUN_LIMITS_DEFAULT,
  type CapabilityAnswer,
  type CommandRule,
  type JsonObject,
  type RunnableTool,
} from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import { heldAttempt } from "../fixtures/held-attempt.ts";
import { sampleCover } from "../fixtures/sample-cover.ts";
import type { AttemptLog } from "./attempt-log.ts";
import { callCommand } from "./call-command.ts";

const SECRET = "s3cr3t-of-a-tool";
const LEFT = {
  stdout: "out\n",
  stderr: "",
  exitCode: 0,
  timedOut: false,
  truncated: false,
  unsaved: [] as JsonObject[],
};

interface Case {
  args?: object;
  left?: Partial<typeof LEFT>;
  answer?: CapabilityAnswer;
  outputSchema?: JsonObject;
  limits?: Partial<RunnableTool["limits"]>;
  rules?: CommandRule[];
  byAgent?: boolean;
  signal?: AbortSignal;
}

async function call({ args = {}, left = {}, answer, signal, ...more }: Case = {}) {
  const asked: unknown[] = [];
  const said: string[] = [];
  const held = heldAttempt();
  const log = {
    started: () => said.push("started"),
    say: ({ text }: { text: string }) => said.push(text),
  } as unknown as AttemptLog;
  const cover = sampleCover(SECRET);
  cover.lines = (lines) => void said.push(...lines.map(({ text }) => text));
  const verdict = await callCommand(
    {
      tenantId: "ten_a",
      argumentsJson: JSON.stringify(args),
      byAgent: more.byAgent ?? true,
      approvals: { ...held.approvals, commands: more.rules ?? [] },
    },
    {
      shell: { template: "git {{.verb}} -- {{.what}}", workingDirectory: "src", env: {} },
      limits: { ...RUN_LIMITS_DEFAULT, ...more.limits },
      outputSchema: more.outputSchema ?? null,
    },
    {
      cover,
      log,
      effects: {
        runCommand: (...one) => {
          asked.push(one.slice(0, 2));
          return Promise.resolve(answer ?? { ok: true, value: { ...LEFT, ...left } });
        },
      },
    },
    signal ?? new AbortController().signal,
  );
  const { usage: _usage, ...rest } = verdict;
  return { asked, said, verdict: rest };
}

test("the command is asked for with its arguments as words, where its record says, and in its time", async () => {
  const { asked, verdict, said } = await call({
    args: { verb: "log", what: "it's" },
    limits: { wallMs: 9_000 },
  });
  const command = `git 'log' -- 'it'\\''s'`;
  expect(asked).toEqual([[{ command, cwd: "src", timeoutMs: 9_000 }, {}]]);
  expect(verdict).toEqual({ outcome: "returned", json: '"out"', endedBy: "guest", process: "own" });
  expect(said).toEqual(["started"]);
});

test("a secret in the arguments does not get into the line, and that is told", async () => {
  const { asked, said } = await call({ args: { verb: "log", what: SECRET } });
  expect(JSON.stringify(asked)).toContain("'[REDACTED]'");
  expect(said[1]).toMatch(/held a secret/);
});

describe("what a command has left", () => {
  test.each<[string, Case, object]>([
    ["text without its last line break", { left: { stdout: "a\n\n" } }, { json: '"a\\n"' }],
    [
      "data where there is a schema",
      { left: { stdout: '{"a":1}\n' }, outputSchema: {} },
      { json: '{"a":1}' },
    ],
    [
      "data that nests deeper than code's may",
      { left: { stdout: `${"[".repeat(101)}${"]".repeat(101)}` }, outputSchema: {} },
      { outcome: "output_invalid", message: "The result nests deeper than 100 levels." },
    ],
    ["brackets that are text", { left: { stdout: "[".repeat(101) } }, { outcome: "returned" }],
    ["text that is no data", { left: { stdout: "a" }, outputSchema: {} }, { json: '"a"' }],
    ["text that looks like data", { left: { stdout: "1" } }, { json: '"1"' }],
    [
      "a failure",
      { left: { exitCode: 2, stderr: " bad \n" } },
      { message: "The command ended with exit code 2: bad" },
    ],
    ["a silent failure", { left: { exitCode: 1 } }, { message: "The command ended with exit code 1." }],
    ["too much time", { left: { timedOut: true, exitCode: 124 } }, { outcome: "wall" }],
    ["too large a result", { limits: { resultBytes: 3 } }, { outcome: "result_too_large" }],
    [
      "a refusal",
      { answer: { ok: false, code: "capability_limit", message: "Too many wait." } },
      { outcome: "threw", message: "Too many wait.", code: "capability_limit" },
    ],
    ["a run that is over", { signal: AbortSignal.abort() }, { outcome: "aborted" }],
  ])("%s", async (_name, asked, verdict) => {
    expect((await call(asked)).verdict).toMatchObject(verdict);
  });

  test("what it said beside, and what was lost, is logged", async () => {
    const unsaved = [{ path: "a.md", why: "It was changed." }];
    const { said } = await call({ left: { stderr: "one\ntwo\n", truncated: true, unsaved } });
    expect(said).toEqual([
      "started",
      "one",
      "two",
      "The command said more than is kept; the rest is left out.",
      "a.md was not saved: It was changed.",
    ]);
  });

  test("the end of a long failure", async () => {
    const { verdict } = await call({ left: { exitCode: 1, stderr: `${"x".repeat(9_000)} the end` } });
    expect(
      "message" in verdict && [verdict.message.length < 2_000, verdict.message.endsWith(" the end")],
    ).toEqual([true, true]);
  });
});

test("what the tenant blocks for agents is blocked for theirs, and asks nobody else", async () => {
  const rules: CommandRule[] = [
    { pattern: "git push", approval: "blocked" },
    { pattern: "git log", approval: "ask" },
  ];
  const push = { rules, args: { verb: "push" } };
  const { asked, verdict } = await call(push);
  expect([asked, verdict]).toMatchObject([
    [],
    { outcome: "threw", message: expect.stringContaining("blocks") },
  ]);
  expect((await call({ ...push, byAgent: false })).asked).toHaveLength(1);
  expect((await call({ rules, args: { verb: "log" } })).asked).toHaveLength(1);
});

test("arguments of which no command can be made are the tool's error", async () => {
  const { asked, verdict } = await call({ args: { what: "a\0b" } });
  expect([asked, verdict]).toMatchObject([[], { outcome: "threw" }]);
});
