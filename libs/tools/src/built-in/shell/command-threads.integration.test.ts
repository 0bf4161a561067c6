import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { checkTenantTemplate, judgeTenantCommand } from "./command-threads.ts";

/** At this one the shell's parser never ends, and takes ever more memory. */
const ENDLESS = "echo $(( $ ))";

test("a line at which the parser never ends is refused, and others are read meanwhile and afterwards", async () => {
  const endless = judgeTenantCommand("ten_a", ENDLESS);
  expect(await judgeTenantCommand("ten_b", "ls -la")).toMatchObject({ verdict: "run" });
  expect(await endless).toMatchObject({
    because: "unreadable",
    message: expect.stringContaining("too much"),
  });
  expect(await judgeTenantCommand("ten_a", "rm -rf x")).toMatchObject({ because: "denied" });
});

test("rules and the folder come along", async () => {
  const rules = [{ pattern: "git push", approval: "preApproved", exact: true, cwd: "src" }] as const;
  expect(await judgeTenantCommand("ten_a", "git push", rules, "src")).toMatchObject({ said: "preApproved" });
  expect(await judgeTenantCommand("ten_a", "git push", rules)).toMatchObject({ said: null });
});

test("a template is read in the same way, and what is wrong with it names the field", async () => {
  const parameters = { properties: { a: { type: "string" } } };
  await checkTenantTemplate("ten_a", "ls {{.a}}", parameters);
  for (const [template, why] of [
    [`${ENDLESS} {{.a}}`, "too much"],
    ["ls {{.b}}", "has no b"],
    ["ls {{.1}}", "a placeholder that can't be read"],
  ] as const)
    await expect(checkTenantTemplate("ten_a", template, parameters)).rejects.toMatchObject({
      code: "request.invalid",
      errors: [{ path: "command", message: expect.stringContaining(why) }],
    });
});

test("a process that has read a command ends by itself", async () => {
  const module = new URL("./command-threads.ts", import.meta.url);
  const program = `import { judgeTenantCommand } from "${module.href}";
    console.log((await judgeTenantCommand("ten_a", "ls")).verdict);`;
  const ended = promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
    timeout: 60_000,
  });
  expect((await ended).stdout).toBe("run\n");
});
