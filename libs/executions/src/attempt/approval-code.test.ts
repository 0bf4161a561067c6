import {
  APPROVAL_CODE_LIMITS,
  ASKING_CHARS_MAX,
  RUN_LIMITS_MAX,
  type SandboxHooks,
  type SandboxOutcome,
  type SandboxRun,
  type SandboxVerdict,
} from "@bulkhead/core";
import { expect, test } from "vitest";
import { sampleCover } from "../fixtures/sample-cover.ts";
import { isUnasked, runApprovalCode } from "./approval-code.ts";

const QUESTION = {
  tenantId: "ten_a",
  executionId: "exe_1",
  toolId: "tool_a",
  toolVersion: 3,
  code: "return true;",
  argumentsJson: "{}",
  contextJson: "{}",
  depth: 1,
  alone: false,
  ceilings: RUN_LIMITS_MAX,
};
const USAGE = { cpuMs: 1, wallMs: 2, memoryPeakMib: 3, bindMs: 4 };

/** Asks code whose runs end in these ways, one after the other; with the runs that were ordered. */
async function asked(
  outcomes: (SandboxOutcome & Partial<SandboxVerdict>)[],
  said: { ceilings?: typeof RUN_LIMITS_MAX; fault?: string; secret?: string } = {},
) {
  const runs: { run: SandboxRun; hooks: SandboxHooks }[] = [];
  const deps = {
    sandbox: {
      run: async (run: SandboxRun, hooks: SandboxHooks): Promise<SandboxVerdict> => {
        runs.push({ run, hooks });
        const outcome = outcomes[runs.length - 1] ?? { outcome: "returned", json: "true" };
        const process = run.alone ? "own" : "used";
        return { usage: USAGE, endedBy: "guest", process, ...outcome };
      },
    },
    findCodeFault: () =>
      said.fault === undefined ? null : { line: 1, column: 1, rule: "process" as const, message: said.fault },
  };
  const question = { ...QUESTION, ceilings: said.ceilings ?? RUN_LIMITS_MAX };
  const cover = sampleCover(...(said.secret === undefined ? [] : [said.secret]));
  const answered = await runApprovalCode(deps, question, cover, new AbortController().signal);
  return { answered, runs };
}
const DIED = { outcome: "crashed", message: "It died of s3cret ." } as const;
const askingFor = async (outcome: SandboxOutcome) => (await asked([outcome])).answered.asking;

test("only false lets a call run; all else has a person asked, with the reason", async () => {
  expect(await askingFor({ outcome: "returned", json: "false" })).toBeNull();
  expect(await askingFor({ outcome: "returned", json: "true" })).toEqual({ because: "answered" });
  for (const json of ["null", '"false"', "0", "{}"])
    expect(await askingFor({ outcome: "returned", json })).toEqual({
      because: "failed",
      message: `It answered ${json}, which is neither true nor false.`,
    });
  for (const outcome of ["threw", "cpu", "wall", "memory", "result_too_large"] as const)
    expect(await askingFor({ outcome, message: "why" })).toEqual({ because: "failed", message: "why" });
});

test("a reason fits a row, and holds no secret", async () => {
  const message = `a\0b\ud800 s3cret ${"x".repeat(2 * ASKING_CHARS_MAX)}`;
  const { answered } = await asked([{ outcome: "threw", message }], { secret: "s3cret" });
  const told = answered.asking?.because === "failed" ? answered.asking.message : "";
  expect(told).toMatch(/^ab\ufffd \[REDACTED\] x+$/);
  expect(told).toHaveLength(ASKING_CHARS_MAX);
});

test("what was stopped, or could not be run, is no answer", async () => {
  for (const outcome of ["aborted", "unavailable"] as const)
    expect(isUnasked((await asked([{ outcome, message: "" }])).answered)).toBe(true);
  expect(isUnasked((await asked([{ outcome: "crashed", message: "" }])).answered)).toBe(false);
});

test("it is asked once more, alone, where its process may have been broken before", async () => {
  for (const broken of [{ outcome: "crashed", message: "", unheard: true }, DIED] as const) {
    const { answered, runs } = await asked([broken, { outcome: "returned", json: "false" }]);
    expect([answered.asking, answered.killed]).toEqual([null, null]);
    expect(runs.map(({ run }) => run.alone)).toEqual([false, true]);
  }
});

test("what kills its process, alone in it, ends the call, and what was ended from outside has a person asked", async () => {
  const { answered, runs } = await asked([DIED, DIED], { secret: "s3cret" });
  expect(runs).toHaveLength(2);
  expect(answered.killed).toMatchObject({
    status: "failed",
    error: { code: "sandbox.crashed", message: expect.stringMatching(/^Its approvalCode .* \[REDACTED\] /) },
    endedBy: "guest",
  });
  const fromOutside = await asked([DIED, { ...DIED, endedBy: "system" }]);
  expect(fromOutside.answered).toMatchObject({ asking: { because: "failed" }, killed: null });
});

test("it runs within its own limits and the tenant's, knows no service, and every effect is refused", async () => {
  const { runs } = await asked([], { ceilings: { ...RUN_LIMITS_MAX, cpuMs: 50 } });
  const [{ run, hooks } = expect.fail("nothing ran")] = runs;
  expect(run).toMatchObject({
    isolateKey: "tool_a@3/approval/32",
    limits: { ...APPROVAL_CODE_LIMITS, cpuMs: 50 },
    network: false,
    configJson: '{"services":{}}',
  });
  const effect = { kind: "call_tool", name: "b", argumentsJson: "{}" } as const;
  expect(await hooks.onEffect(effect, new AbortController().signal)).toMatchObject({
    code: "tool_not_allowed",
  });
});

test("code that the rules of today refuse is not run", async () => {
  const { answered, runs } = await asked([], { fault: "process is not there" });
  expect(answered).toEqual({
    asking: { because: "failed", message: "It was not run: process is not there" },
    verdict: null,
    killed: null,
  });
  expect(runs).toEqual([]);
});
