import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { workflowText } from "./workflow.ts";

interface Step {
  id?: string;
  if?: string;
  run?: string;
}
const { steps } = (parse(workflowText("")) as { jobs: { try: { steps: Step[] } } }).jobs.try;
const script = steps.at(-1)?.run ?? "";
const PLAN = "### Tools: 1 to create\n\n| create | `greet` |\n";
const NOTHING = "### Tools: nothing to do\n";
const WELL = "examples success, plan success";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bulkhead-workflow-"));
  // Answers which comment there is, and notes what it is to write.
  writeFileSync(
    join(folder, "gh"),
    `#!/bin/sh\nif [ "$2" = --paginate ]; then cat "$RUNNER_TEMP/last"; else echo "$4 $5" > "$RUNNER_TEMP/written"; fi\n`,
    { mode: 0o755 },
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

/** How the comment is written, and what it says; null: there is none. */
async function comment(plan: string | null, outcomes: string, last = ""): Promise<[string, string] | null> {
  if (plan !== null) writeFileSync(join(folder, "plan.md"), plan);
  writeFileSync(join(folder, "last"), last);
  writeFileSync(join(folder, "written"), "");
  const env = {
    PATH: `${folder}:${process.env["PATH"]}`,
    RUNNER_TEMP: folder,
    GITHUB_REPOSITORY: "acme/tools",
    PULL_REQUEST: "7",
    OUTCOMES: outcomes,
    LOG: "https://git.example/acme/tools/actions/runs/9",
  };
  // As GitHub runs a script.
  await promisify(execFile)("bash", ["-e", "-c", script], { env });
  const written = readFileSync(join(folder, "written"), "utf8").trim();
  return written === "" ? null : [written, readFileSync(join(folder, "comment.md"), "utf8")];
}

test("a plan is told in a comment, and over the one that there is", async () => {
  const said = `<!-- bulkhead plan -->\n${PLAN}`;
  expect(await comment(PLAN, WELL)).toEqual(["POST repos/acme/tools/issues/7/comments", said]);
  expect(await comment(PLAN, WELL, "42\n")).toEqual(["PATCH repos/acme/tools/issues/comments/42", said]);
});

test("a change of no tool is no comment, unless there was a plan before", async () => {
  expect(await comment(NOTHING, WELL)).toBeNull();
  expect((await comment(NOTHING, WELL, "42\n"))?.[1]).toContain("nothing to do");
});

test.each([
  [null, "examples skipped, plan failure", "### Tools: no plan could be made"],
  ["", "examples success, plan failure", "### Tools: no plan could be made"],
  ["### Tools: the plan failed\n", "examples success, plan failure", "### Tools: the plan failed"],
  [NOTHING, "examples failure, plan success", "### Tools: nothing to do"],
])("a failure is told, with where to look: %j, %s", async (plan, outcomes, head) => {
  const [, said = ""] = (await comment(plan, outcomes)) ?? [];
  expect(said).toBe(
    `<!-- bulkhead plan -->\n${head}\n\n**Not everything went well: ${outcomes}.** [The log](https://git.example/acme/tools/actions/runs/9) says why.\n`,
  );
});

test("a plan is made and told although examples fail", () => {
  const always = steps.filter((step) => step.if === "${{ !cancelled() }}");
  expect(always.map(({ id }) => id)).toEqual(["plan", undefined]);
});
