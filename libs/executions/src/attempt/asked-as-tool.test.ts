import { APPROVAL_SETTINGS_DEFAULT, type ApprovalSettings, type Permission } from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import { heldAttempt } from "../fixtures/held-attempt.ts";
import { sampleCover } from "../fixtures/sample-cover.ts";
import { CapabilityCalls } from "./capability-calls.ts";

describe("what an agent's tool asks is let as its call of the built-in tool would be", () => {
  const PERMISSIONS: Permission[] = ["filesystem", "database", "email", "scheduling", "shell"];
  /** The codes of the answers where a person has the tool run, and where an agent has. */
  async function askedBy(
    approvals: Partial<ApprovalSettings>,
    family: "data" | "db" | "email" | "files" | "schedule" | "shell",
    operation: string,
    args: object,
  ) {
    const engine = {
      operations: new Map([[operation, "reads" as const]]),
      run: async () => ({ ok: true as const, value: {} }),
    };
    const answers = [];
    for (const byAgent of [false, true]) {
      const attempt = {
        ...heldAttempt(),
        byAgent,
        approvals: { ...APPROVAL_SETTINGS_DEFAULT, ...approvals },
      };
      const calls = new CapabilityCalls(
        {
          capabilities: { [family]: engine },
          report: () => undefined,
          way: null,
          whileHeld: (work) => work(),
        },
        attempt,
        PERMISSIONS,
        sampleCover("s3cr3t-of-a-service"),
      );
      const answer = await calls.perform(
        {
          kind: "capability",
          family,
          operation,
          argumentsJson: JSON.stringify(args),
          content: null,
          contentEncoding: "utf8",
        },
        new AbortController().signal,
      );
      answers.push(answer.ok ? "ok" : answer.code);
    }
    return answers;
  }

  test.each([
    ["message", "email", "send", { to: "a@b.co" }],
    ["database_query", "db", "query", { database: "x", sql: "SELECT 1" }],
    ["write_file", "files", "append", { path: "a" }],
    ["data_put", "data", "increment", { collection: "a", id: "1" }],
    ["goals", "data", "list_goals", {}],
    ["skill_search", "files", "skills", { query: "a" }],
    ["cron", "schedule", "create", {}],
    ["exec", "shell", "exec", { command: "ls" }],
    ["process", "shell", "start", { command: "ls" }],
  ] as const)("%s, blocked or with a person's word", async (tool, family, operation, args) => {
    for (const decision of ["blocked", "ask"] as const)
      expect(await askedBy({ tools: { [tool]: decision } }, family, operation, args)).toEqual([
        "ok",
        "tool_not_allowed",
      ]);
    expect(await askedBy({}, family, operation, args)).toEqual(["ok", "ok"]);
  });

  test("rules about arguments hold, also for those who get a copy", async () => {
    const rules = [
      { tool: "message", argument: "/to", pattern: "*@rival.example*", decision: "blocked" as const },
    ];
    const send = (args: object) => askedBy({ rules }, "email", "send", args);
    expect(await send({ to: "a@b.co", bcc: ["x@rival.example"] })).toEqual(["ok", "tool_not_allowed"]);
    expect(await send({ to: "a@b.co" })).toEqual(["ok", "ok"]);
  });
});
