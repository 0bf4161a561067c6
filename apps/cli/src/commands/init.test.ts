import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../run-cli.ts";
import type { Start } from "../cli.ts";

let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "bulkhead-init-")));
});
afterAll(() => rm(root, { recursive: true }));

/** No server is known, and nobody can be asked. */
async function run(...words: string[]) {
  const said = { stdout: "", stderr: "" };
  const output = (name: keyof typeof said) => ({ write: (text: string) => void (said[name] += text) });
  const start = { env: { XDG_CONFIG_HOME: "/nowhere" }, stdin: new PassThrough() };
  const outputs = { stdout: output("stdout"), stderr: output("stderr") };
  return { code: await runCli(words, { ...start, ...outputs } as unknown as Start), ...said };
}

const written = (stdout: string): string[] =>
  JSON.parse(stdout).written.map((path: string) => path.replace(/^.*?bulkhead-init-[^/]*\//, ""));

test("without a server a folder is begun all the same, and that is said", async () => {
  const { code, stdout, stderr } = await run("init", join(root, "fresh"));
  expect([code, stderr]).toEqual([0, expect.stringContaining("since no server told: No server is known.")]);
  expect(stdout).toContain(`fresh/word_count/tool.js\n`);
  expect(await readFile(join(root, "fresh/bulkhead.d.ts"), "utf8")).toContain("declare const utils");
  expect(stderr).toContain("bulkhead login <url>\n  bulkhead test ");
});

test("a folder that has tools gets none, and keeps its files", async () => {
  const folder = join(root, "has-tools");
  await mkdir(join(folder, "adder"), { recursive: true });
  await writeFile(join(folder, "adder", "manifest.json"), "{}");
  await writeFile(join(folder, "AGENTS.md"), "ours");
  const { stdout } = await run("init", folder, "--json");
  expect(written(stdout)).toEqual(
    ["tsconfig.json", "bulkhead.d.ts", ".gitignore"].map((file) => `has-tools/${file}`),
  );
  expect(JSON.parse(stdout).kept).toEqual([expect.stringMatching(/has-tools\/AGENTS\.md$/)]);
  expect(await readFile(join(folder, "AGENTS.md"), "utf8")).toBe("ours");
});

test("a workflow is at the root of the repository, wherever the tools are", async () => {
  const repository = join(root, "repository");
  await mkdir(join(repository, ".git"), { recursive: true });
  const { stdout } = await run("init", join(repository, "services", "tools"), "--github", "--json");
  expect(written(stdout)).toContain("repository/.github/workflows/tools.yml");
  expect(written(stdout)).toContain("repository/services/tools/AGENTS.md");
  const again = async () => (await run("init", join(repository, "services", "tools"), "--github")).stderr;
  expect(await again()).toContain("npm install --save-dev");
  await writeFile(join(repository, "package-lock.json"), "{}");
  expect(await again()).not.toContain("npm install");
  const odd = await run("init", join(repository, "a b"), "--github");
  expect([odd.code, odd.stderr]).toEqual([
    2,
    expect.stringContaining("A workflow can't name the folder a b."),
  ]);
});

test("a file is no folder, and nothing is written beside it", async () => {
  await writeFile(join(root, "file"), "");
  for (const said of ["file", "file/below"]) {
    const { code, stderr } = await run("init", join(root, said));
    expect([code, stderr]).toEqual([2, expect.stringContaining("file is no folder.")]);
  }
});

test("a wrong setting is no lack of a server", async () => {
  const { code, stderr } = await run("init", join(root, "none"), "--url", "ftp://x");
  expect([code, stderr]).toEqual([2, expect.stringContaining("--url is no address")]);
});

test.each(["Sales", "2nd", "a-b", "../x", "a/b", "x".repeat(65), "con."])(
  "no tool is called %j, and no server is asked",
  async (name) => {
    const { code, stderr } = await run("new", "csv_report", name, "--folder", root);
    expect([code, stderr]).toEqual([2, expect.stringContaining("can't be the name of a tool")]);
  },
);
