import type { Fault } from "@bulkhead/core";
import { expect, test } from "vitest";
import { BUNDLED_APPROVAL } from "../packages/bundled-packages.ts";
import { checkApprovalCode, idleApprovalCode } from "./check-approval-code.ts";

function faultOf(code: string): Fault {
  try {
    checkApprovalCode(code);
  } catch (error) {
    return error as Fault;
  }
  return expect.fail(`${code} has no fault`);
}

test.each([
  ["(args) => args.n > 1", "unreturned"],
  ["async function ask(args) { return args.n > 1; }", "unreturned"],
  ["args.n > 1;", "unreturned"],
  ["return (", "syntax"],
  ["return process.pid > 1;", "process"],
])("%s is a fault of approvalCode: %s", (code, rule) => {
  const fault = faultOf(code);
  expect(fault.code).toBe("tool.code_invalid");
  expect(fault.errors[0]).toMatchObject({ path: "approvalCode", rule, line: 1 });
  expect(fault.detail).toMatch(/^The approvalCode /);
});

test("what it does not have is warned of once", () => {
  expect(checkApprovalCode("return args.n > 1;")).toEqual([]);
  const code = "await fetch(args.url); return (await utils.callTool('b', {})) === limit;";
  expect(checkApprovalCode(code)).toEqual([
    expect.stringContaining("uses fetch, utils.callTool, limit, which it does not have"),
  ]);
});

test("a bundle, which has the tool's own code in it, is not warned of", () => {
  const bundle = "var bulkhead = { needsApproval: () => false, run: () => fetch('https://a.example') };\n";
  expect(checkApprovalCode(`${bundle}${BUNDLED_APPROVAL}`)).toEqual([]);
});

test("code that is never asked is warned of", () => {
  const tool = { name: "t", approval: null, requiresApproval: false, createdBy: "user" } as const;
  expect(idleApprovalCode(tool)).toEqual([]);
  const with_ = { ...tool, approvalCode: "return true;" };
  expect(idleApprovalCode(with_)).toEqual([]);
  for (const idle of [{ approval: "ask" }, { requiresApproval: true }, { createdBy: "llm" }] as const)
    expect(idleApprovalCode({ ...with_, ...idle })).toEqual([
      expect.stringMatching(/^approvalCode has no effect/),
    ]);
});
