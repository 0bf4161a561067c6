import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FoundFault } from "./fault-list.ts";
import { readToolsets } from "./toolsets.ts";

let root: string;
beforeAll(() => {
  root = join(realpathSync(mkdtempSync(join(tmpdir(), "toolsets-"))), "tools");
  mkdirSync(root);
  writeFileSync(join(root, "mine.ts"), "export const a = 1;");
  writeFileSync(join(root, "../outside.ts"), "export const a = 1;");
});
afterAll(() => rmSync(join(root, ".."), { recursive: true }));

async function read(text: string) {
  writeFileSync(join(root, "bulkhead.yaml"), text);
  const faults: FoundFault[] = [];
  const tell = (fault: FoundFault) => void faults.push(fault);
  const { sources } = await readToolsets({ root, within: root, tell }, "bulkhead.yaml");
  return { sources, faults: faults.map(({ code, line, message }) => `${line} ${code} ${message}`) };
}

test("modules and packages come with their lists, approvals and owners", async () => {
  const { sources, faults } = await read(`name: calculator
toolsets:
  custom:
    module: "./mine.ts"
    tools: [a]
    approval: { tools: { a: preApproved } }
  external: { package: "@vercel/ai-tools", import: webSearchTools, approval: { default: blocked } }
agents:
  helper:
    toolsets:
      custom: { module: mine.ts, tools: [a], permissions: [network], allowedHosts: [example.com] }
`);
  expect(faults).toEqual([]);
  expect(sources.map(({ specifier, file, choice }) => ({ specifier, file, choice }))).toEqual([
    {
      specifier: join(root, "mine.ts"),
      file: "mine.ts",
      choice: {
        from: "named",
        names: ["a"],
        approval: { default: "ask", tools: { a: "preApproved" } },
        defaults: { agentId: "calculator" },
      },
    },
    {
      specifier: "@vercel/ai-tools",
      file: "bulkhead.yaml",
      choice: {
        from: "export",
        export: "webSearchTools",
        names: undefined,
        approval: { default: "blocked", tools: {} },
        defaults: { agentId: "calculator" },
      },
    },
    {
      specifier: join(root, "mine.ts"),
      file: "mine.ts",
      choice: {
        from: "named",
        names: ["a"],
        approval: { default: "ask", tools: {} },
        defaults: { agentId: "helper", permissions: ["network"], allowedHosts: ["example.com"] },
      },
    },
  ]);
});

test.each([
  ["toolsets:\n  shell: { rules: [] }\n", /^2 toolset\.not_there .*web_fetch/],
  ["toolsets:\n  a: { module: ./mine.ts }\n", /^2 toolsets\.invalid toolsets\.a\.tools: /],
  ["toolsets:\n  a: { module: ./gone.ts, tools: [a] }\n", /^2 file\.unreadable \.\/gone\.ts can't be read/],
  [
    "toolsets:\n  a: { module: ../outside.ts, tools: [a] }\n",
    /^2 import\.outside \.\.\/outside\.ts lies outside/,
  ],
  ["toolsets:\n  a:\n    package: ../outside.ts\n    import: a\n", /^3 toolsets\.invalid must be the name/],
  [
    "toolsets:\n  a:\n    module: ./mine.ts\n    tools: [a]\n    approval: { default: maybe }\n",
    /^5 toolsets\.invalid/,
  ],
  ["toolset: {}\n", /toolsets\.invalid .*"toolset"/],
  ["toolsets: [\n", /^\d+ toolsets\.invalid /],
  ["toolsets: {}\ntoolsets: {}\n", /^2 toolsets\.invalid .*unique/],
  ["just words", /toolsets\.invalid/],
  [
    `a: &a [x, x, x, x, x, x, x, x, x, x]\n${Array.from("bcdefgh", (name, at) => `${name}: &${name} [${Array.from({ length: 10 }, () => `*${"abcdefg"[at]}`).join(", ")}]`).join("\n")}\n`,
    /toolsets\.invalid/,
  ],
])("%j is told at its line", async (text, expected) => {
  const { sources, faults } = await read(text);
  expect(sources).toEqual([]);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(expected);
});
