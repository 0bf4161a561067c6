import { expect, test } from "vitest";
import { importsOf, products } from "./support/house.ts";

/** Where a policy decides, by file, and for which doors. */
const ASKED_AT: Record<string, string> = {
  "apps/api/src/routes/tools/tool-lookup.ts": "execute, batch, every call by id or name",
  "apps/api/src/routes/tools/catalogue.ts": "definitions",
  "apps/api/src/routes/tools/built-in-tools.ts": "the list of built-in tools",
  "apps/api/src/routes/tools/types.ts": "declarations of all tools",
  "apps/api/src/mcp/tool-list.ts": "lists and completions of MCP",
  "apps/api/src/mcp/call-tool.ts": "calls of the tools of MCP itself",
  "apps/api/src/routes/meta-tools/denied-meta-tools.ts": "calls of meta-tools",
  "apps/api/src/routes/meta-tools/meta-tools.ts": "definitions of meta-tools",
  "libs/agents/src/calls/describe-tools.ts": "describe_tools",
  "libs/agents/src/calls/search-tools.ts": "search_tools, for built-in tools",
  "libs/agents/src/calls/model-scope.ts": "toggle_custom_tool, update_tool, delete_custom_tool",
  "libs/executions/src/attempt/callable-tools.ts": "callTool, and what waited to run",
  "libs/executions/src/attempt/list-callable.ts": "listTools",
  "libs/executions/src/submit/check-call.ts": "calls that a grant has let through",
  "libs/executions/src/submit/replay.ts": "replays",
  "libs/tools/src/packages/export-tools.ts": "exports by name",
  "libs/tools/src/registry/read-tools.ts": "reads of one tool, lists, counts, searches, and schedules",
  "libs/tenants/src/policy/explain-policy.ts": "explanations",
  "libs/tenants/src/policy/explain-tool.ts": "explanations of one tool for all agents",
};

/** Files that know who asks, or documents, and decide nothing. */
const DECIDES_NOTHING = [
  "apps/api/src/routes/executions/batches.ts",
  "libs/agents/src/definitions/built-ins.ts",
  "libs/agents/src/definitions/tool-definitions.ts",
  "libs/executions/src/submit/build-execution.ts",
  "libs/executions/src/submit/only-for-keys.ts",
  "libs/tenants/src/policy/show-explanation.ts",
  "libs/tenants/src/policy/tenant-policy.ts",
];

/** What reads tools for a key by the functions above, so that it shows no others. */
const BY_ANOTHER: [door: string, file: string, asks: RegExp][] = [
  ["lists", "libs/tools/src/registry/list-tools.ts", /seenScope\(/],
  ["counts", "apps/api/src/routes/tools/catalogue.ts", /listTools\([\s\S]*seenScope\(/],
  ["what agents administer", "libs/agents/src/gateway/operate-tenant.ts", /listTools[\s\S]*getTool\(/],
  ["list_custom_tools", "libs/agents/src/calls/list-tools.ts", /seenByModel\(/],
  ["search_tools", "libs/agents/src/calls/search-tools.ts", /seenByModel\(/],
  ["exports", "libs/tools/src/packages/export-tools.ts", /seenScope\(/],
  ["schedules that are made", "libs/executions/src/schedules/check-call.ts", /getTool\(.*context\)/],
  ["schedules that run by hand", "libs/executions/src/schedules/run-schedule.ts", /getTool\(.*\.context\)/],
  ["schedules that run", "libs/executions/src/schedules/fire-schedule.ts", /getTool\(.*context\)/],
  ["versions", "libs/tools/src/versions/read-versions.ts", /getTool\(/],
  ["execute", "apps/api/src/routes/executions/submission.ts", /findCallable\([\s\S]*call\.context/],
  ["call_tool", "apps/api/src/routes/meta-tools/call-tool.ts", /submitCall\(/],
  ["calls by MCP", "apps/api/src/mcp/call-tool.ts", /submitCall\(/],
  ["declarations of one tool", "apps/api/src/routes/tools/types.ts", /getTool\(/],
  ["batch", "apps/api/src/routes/executions/batches.ts", /findCallable\(.*\.\.\.context/],
  ["calls in tools", "libs/executions/src/attempt/nested-calls.ts", /sightFor\(/],
  ["what waited", "libs/executions/src/attempt/run-attempt.ts", /sightFor\(/],
];

const DECIDING = /\b(decide|decideBy|verdictsBy|sightBy|sightOf|isSeen)\b/;

test("one function decides on tools, and is asked where this list says", () => {
  const asking = products
    .filter(({ pkg, text }) => pkg.name !== "policy" && importsOf(text).includes("@bulkhead/policy"))
    .map(({ file }) => file);
  expect(asking.toSorted()).toEqual([...Object.keys(ASKED_AT), ...DECIDES_NOTHING].toSorted());
  const wrong = products
    .filter(({ file }) => DECIDES_NOTHING.includes(file))
    .filter(({ text }) =>
      [...text.matchAll(/import \{([^}]*)\} from "@bulkhead\/policy"/g)].some(([, names = ""]) =>
        DECIDING.test(names),
      ),
    )
    .map(({ file }) => file);
  expect(wrong).toEqual([]);
});

test.each(BY_ANOTHER)("%s ask it by another", (_door, file, asks) => {
  expect(products.find((product) => product.file === file)?.text).toMatch(asks);
});
