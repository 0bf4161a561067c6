import type { SandboxVerdict } from "@bulkhead/core";
import { expect, test } from "vitest";
import type { Said } from "../attempt/attempt-log.ts";
import { failed, judge, type Judged } from "../attempt/judge.ts";
import { sampleCover } from "../fixtures/sample-cover.ts";
import { sampleSecrets } from "../fixtures/sample-secrets.ts";
import { Cover } from "./cover.ts";

const LIMITS = { resultBytes: 100 };
const returned = (json: string) => ({ outcome: "returned", json }) as SandboxVerdict;
const judgedOf = (verdict: SandboxVerdict): Judged => judge(verdict, new Set()) as Judged;
const coverResult = (json: string, resultBytes = 100) =>
  sampleCover("hunter2").end(returned(json), judgedOf(returned(json)), { resultBytes });
const coverMessage = (message: string) =>
  sampleCover("hunter2").end(
    { outcome: "threw", message } as SandboxVerdict,
    failed("failed", "tool.threw", message),
    LIMITS,
  ).error?.message;

test("an end without secrets is what it was", () => {
  const verdict = returned('{"a":1}');
  const judged = judgedOf(verdict);
  expect(sampleCover("hunter2").end(verdict, judged, LIMITS)).toBe(judged);
});

test("a result is covered in its keys and values", () => {
  expect(coverResult('{"hunter2":["hunter2",1]}').result).toEqual({ "[REDACTED]": ["[REDACTED]", 1] });
});

test("a large result is what it was covered as, and is not told where nobody could cover it", async () => {
  const verdict = returned('"hunter2"');
  const endWith = async (document: ReturnType<typeof sampleSecrets>["scrubber"]["document"]) => {
    const secrets = sampleSecrets();
    const reported: string[] = [];
    const deps = { clock: () => new Date(), report: (what: string) => void reported.push(what) };
    const run = { tenantId: "ten_a", deadlineAt: new Date() };
    const log = { say: () => undefined, sayAll: () => undefined };
    const cover = new Cover(deps, run, { ...secrets, scrubber: { ...secrets.scrubber, document } }, log);
    const isJson = await cover.largeResult('"hunter2"');
    return { isJson, reported, end: cover.end(verdict, judgedOf(verdict), LIMITS) };
  };
  const covered = await endWith(() => Promise.resolve({ json: '"[REDACTED]"', counts: new Map() }));
  expect(covered).toMatchObject({ isJson: true, reported: [], end: { result: "[REDACTED]" } });
  expect(await endWith(() => Promise.reject(new Error("no thread")))).toMatchObject({
    isJson: true,
    reported: ["covering a large result failed"],
    end: { status: "failed", result: null, error: { code: "tool.output_invalid" } },
  });
  expect(await endWith(() => Promise.resolve(null))).toMatchObject({ isJson: false, reported: [] });
});

test("a result that is over its bound once it is covered is too large", () => {
  const json = '"hunter2"';
  expect(coverResult(json, 12).status).toBe("succeeded");
  expect(coverResult(json, 11)).toMatchObject({ status: "failed", error: { code: "tool.result_too_large" } });
});

test.each([
  ["Error: hunter2", "Error: [REDACTED]"],
  ["Error: is hunt … (cut) (tool.js:1:2)", "Error: is [REDACTED] … (cut) (tool.js:1:2)"],
  ["Error: it says … (cut) is hunt … (cut)", "Error: it says … (cut) is [REDACTED] … (cut)"],
  ["Error: hunter2 is whole … (cut)", "Error: [REDACTED] is whole … (cut)"],
])("the message %j is told as %j", (message, told) => {
  expect(coverMessage(message)).toBe(told);
});

test("lines, emitted values and reports of a run are covered alike", async () => {
  const said: Said[] = [];
  const reported: unknown[] = [];
  const log = {
    say: (one: Said) => void said.push(one),
    sayAll: (all: readonly { said: Said }[]) => all.forEach((one) => said.push(one.said)),
  };
  const deps = {
    clock: () => new Date(),
    report: (_what: string, error: unknown) => void reported.push(error),
  };
  const deadlineAt = new Date(Date.now() + 60_000);
  const cover = new Cover(deps, { tenantId: "ten_a", deadlineAt }, sampleSecrets("hunter2"), log);
  cover.lines([{ level: "info", text: "is hunter2" }]);
  cover.progress('["hunter2"]');
  await cover.finishLines();
  cover.report("it failed", new Error("hunter2"));
  expect(said).toEqual([
    { type: "execution.log", level: "info", text: "is [REDACTED]" },
    { type: "execution.progress", value: ["[REDACTED]"] },
  ]);
  expect(String(reported)).not.toContain("hunter2");
});
