import { expect, test } from "vitest";
import { parse } from "yaml";
import { workflowText } from "./workflow.ts";

interface Step {
  uses?: string;
  run?: string;
  env?: Record<string, string>;
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: object;
  defaults?: unknown;
  env: Record<string, string>;
  jobs: Record<string, { if: string; permissions: Record<string, string>; steps: Step[] }>;
}

const read = (folder: string): Workflow => parse(workflowText(folder)) as Workflow;
const workflow = read("");
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

test("it runs for pull requests and for main, and for neither with more rights than it needs", () => {
  expect(workflow.on).toEqual({ pull_request: null, push: { branches: ["main"] } });
  expect(workflow.permissions).toEqual({});
  expect(Object.entries(workflow.jobs).map(([name, { permissions }]) => [name, permissions])).toEqual([
    ["try", { contents: "read", "pull-requests": "write" }],
    ["push", { contents: "read" }],
  ]);
});

test("of a fork's pull request nothing runs", () => {
  expect(workflow.jobs["try"]?.if).toContain("head.repo.full_name == github.repository");
});

test("actions are pinned to commits, and no script holds what somebody else may write", () => {
  const used = steps.flatMap(({ uses }) => uses ?? []);
  expect(used).toHaveLength(4);
  for (const one of used) expect(one).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  for (const { run } of steps) expect(run ?? "").not.toContain("${{");
});

test("the key is in the steps that need it alone, and nothing is fetched to be run", () => {
  const withKey = steps.filter(({ env }) => env?.["BULKHEAD_KEY"] !== undefined);
  expect(withKey.map(({ run }) => run?.match(/bulkhead (?:test|push)( --[\w-]+)?/g))).toEqual([
    ["bulkhead test"],
    ["bulkhead push --pr-comment"],
    ["bulkhead test", "bulkhead push --yes"],
  ]);
  expect(workflow.env).toEqual({ BULKHEAD_URL: "${{ vars.BULKHEAD_URL }}" });
  for (const { run = "" } of steps) expect(run.match(/npx (?!--no -- )/)).toBeNull();
  expect(steps.filter(({ run }) => run === "npm ci --ignore-scripts")).toHaveLength(2);
});

test("a folder within the repository has its own place, and changes with code beside it", () => {
  const inFolder = read("services/tools");
  expect(inFolder.on).toEqual(workflow.on);
  expect(inFolder.defaults).toEqual({ run: { "working-directory": "services/tools" } });
});

test.each(["a b", "a/${{ secrets.X }}", 'a"b', "*", "!a", "größe", "a\nb"])(
  "a workflow can't name the folder %j, which is said",
  (folder) => {
    expect(() => workflowText(folder)).toThrow("A workflow can't name the folder");
  },
);
