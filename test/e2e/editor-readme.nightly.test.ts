import { sharedProduct } from "@bulkhead/testing";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCommandLine, type CommandLine } from "../support/cli.ts";
import { newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
let cli: CommandLine;
let owner: Client;
let folder: string;
/** The words behind `npx bulkhead` of each line in the README's section, by the command's name. */
let lines: Map<string, string[]>;

beforeAll(async () => {
  cli = await openCommandLine();
  ({ owner } = await newTenant(product));
  folder = await mkdtemp(join(tmpdir(), "bulkhead-editor-"));
  const readme = await readFile(join(import.meta.dirname, "..", "..", "README.md"), "utf8");
  const section = readme.split("\n## From your editor\n")[1]?.split("\n## ")[0] ?? "";
  const said = [...section.matchAll(/^npx bulkhead ([^#\n]*)/gm)].map(([, words = ""]) =>
    words.trim().replace("http://127.0.0.1:3000", product.url).split(" "),
  );
  lines = new Map(said.map((words) => [words[0] ?? "", words]));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await cli.close();
});

/** As it is written, but for `more`; leaves it as Ctrl-C does once all of `until` was told. */
function run(command: string, more: string[] = [], { stdin = "", until = [] as RegExp[] } = {}) {
  const words = [...(lines.get(command) ?? [command]), ...more];
  return new Promise<{ code: number | null; told: string }>((resolve, reject) => {
    const child = spawn(process.execPath, [cli.main, ...words], { env: cli.env, cwd: folder });
    let told = "";
    let isLeft = until.length === 0;
    const hear = (text: string): void => {
      told += text;
      if (isLeft || !until.every((each) => each.test(told))) return;
      isLeft = true;
      child.kill("SIGINT");
    };
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    child.once("error", reject).once("close", (code) => resolve({ code, told }));
    child.stdin.end(stdin);
  });
}

test("the README's lines for an editor do what they say", async () => {
  expect([...lines.keys()]).toEqual(["login", "init", "new", "test", "dev", "push"]);
  const login = await run("login", ["--key-stdin"], { stdin: owner.key ?? "" });
  expect([login.code, login.told]).toEqual([0, expect.stringContaining("Logged in")]);
  for (const command of ["init", "new"]) expect((await run(command)).code).toBe(0);

  const tested = await run("test");
  expect([tested.code, tested.told]).toEqual([0, expect.stringMatching(/✓ 5 of 5 examples passed/)]);
  const dev = await run("dev", [], { until: [/✓ word_count ok in/, /✓ sales ok in/] });
  expect(dev.code).toBe(0);
  const unsure = await run("push");
  expect([unsure.code, unsure.told]).toEqual([2, expect.stringContaining("Say --yes.")]);
  expect((await run("push", ["--yes"])).code).toBe(0);
  const { body } = await owner.post("/api/v1/custom-tools/word_count/execute", {
    arguments: { text: "to be or not to be", most: 1 },
  });
  expect(body.data.result).toEqual({ words: 6, most: [{ word: "be", times: 2 }] });
});
