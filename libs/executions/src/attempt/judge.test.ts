import type { SandboxVerdict } from "@bulkhead/core";
import { expect, test } from "vitest";
import { judge } from "./judge.ts";

const usage = { cpuMs: 1, wallMs: 2, memoryPeakMib: 3, bindMs: 0 };
const by = { endedBy: "guest", process: "used" } as const;
const none = new Set<string>();

test("a returned value is parsed", () => {
  expect(judge({ outcome: "returned", json: '{"a":[1]}', usage, ...by }, none)).toEqual({
    status: "succeeded",
    result: { a: [1] },
    error: null,
  });
});

test.each([
  ["cpu", "timed_out", "tool.cpu_limit"],
  ["wall", "timed_out", "tool.wall_limit"],
  ["memory", "failed", "tool.memory_limit"],
  ["result_too_large", "failed", "tool.result_too_large"],
  ["output_invalid", "failed", "tool.output_invalid"],
  ["crashed", "failed", "sandbox.crashed"],
] as const)("%s ends as %s with %s", (outcome, status, code) => {
  const verdict: SandboxVerdict = { outcome, message: "why", usage, ...by };
  expect(judge(verdict, none)).toEqual({ status, result: null, error: { code, message: "why" } });
});

test("an error that asks to be let alone says for how long", () => {
  const verdict: SandboxVerdict = { outcome: "threw", message: "429", retryAfterMs: 4_000, usage, ...by };
  expect(judge(verdict, none)).toEqual({
    status: "failed",
    result: null,
    error: { code: "tool.threw", message: "429", retryAfterMs: 4_000 },
  });
});

test("a refused effect that the tool let through names the refusal", () => {
  const verdict: SandboxVerdict = { outcome: "threw", message: "no", code: "egress_denied", usage, ...by };
  expect(judge(verdict, new Set(["egress_denied"]))?.error?.code).toBe("tool.egress_denied");
});

test("a built-in tool's own call ends with the words and the code of its refusal", () => {
  const verdict = {
    outcome: "threw",
    message: "Error: no (tool.js:1:14)",
    code: "not_found",
    usage,
    ...by,
  } as const;
  const own = { ok: false, code: "not_found", message: "no" } as const;
  expect(judge(verdict, new Set(["not_found"]), own)?.error).toEqual({
    code: "tool.threw",
    message: "no",
    refusal: "not_found",
  });
  expect(
    judge({ ...verdict, code: "egress_denied" }, new Set(["egress_denied"]), {
      ...own,
      code: "egress_denied",
    })?.error,
  ).toEqual({ code: "tool.egress_denied", message: "no", refusal: "egress_denied" });
});

test("a tool can't pretend that an effect was refused", () => {
  const verdict: SandboxVerdict = { outcome: "threw", message: "no", code: "egress_denied", usage, ...by };
  expect(judge(verdict, none)?.error?.code).toBe("tool.threw");
});

test("an aborted run is named by its aborter", () => {
  expect(judge({ outcome: "aborted", message: "", usage, ...by }, none)).toBeNull();
});

test("a body that the sandbox itself refused for its size is a network limit, though no worker heard of it", () => {
  const verdict = { outcome: "threw", message: "too long", code: "network_limit", usage, ...by } as const;
  expect(judge(verdict, none)).toMatchObject({
    error: { code: "tool.network_limit" },
  });
});
