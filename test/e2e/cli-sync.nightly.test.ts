import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { sharedProduct } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCommandLine, type CommandLine } from "../support/cli.ts";
import { newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
const NAMES = Array.from({ length: 8 }, (_, at) => `tool_${at}`);

let cli: CommandLine;
let owner: Client;
let home: string;
/** Two developers' clones of one repository, whose tools lie in a folder of it. */
let ann: string;
let bob: string;

const json = (text: string): ReturnType<typeof JSON.parse> => JSON.parse(text);
const manifest = (name: string, more: object = {}): string =>
  JSON.stringify({ name, description: `Is ${name}.`, ...more });

async function writeTool(folder: string, name: string, code: string, more: object = {}): Promise<void> {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, "manifest.json"), manifest(name, more));
  await writeFile(join(folder, name, "tool.js"), code);
}

const bulkhead = (folder: string, ...words: string[]) => cli.run([...words, "--folder", folder]);

/** How each tool stands that is not as it was synced. */
async function standings(folder: string): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await bulkhead(folder, "status", "--json");
  expect([code, stderr]).toEqual([0, ""]);
  const rows: { name: string; standing: string }[] = json(stdout).tools;
  return Object.fromEntries(
    rows.filter(({ standing }) => standing !== "unchanged").map(({ name, standing }) => [name, standing]),
  );
}

const codeOf = async (name: string): Promise<string> =>
  (await owner.get(`/api/v1/custom-tools/${name}`)).body.data.code;

beforeAll(async () => {
  cli = await openCommandLine();
  ({ owner } = await newTenant(product));
  await cli.run(["login", product.url, "--key-stdin"], { stdin: `${owner.key}\n` });
  home = await mkdtemp(join(tmpdir(), "bulkhead-sync-"));
  const repository = join(home, "ann");
  ann = join(repository, "tools");
  bob = join(home, "bob", "tools");
  for (const name of NAMES) await writeTool(ann, name, "return 1;");
  await mkdir(join(repository, "common"));
  await writeFile(
    join(repository, "common", "words.ts"),
    "export const hello = (who: string) => `hello ${who}`;\n",
  );
  await writeFile(
    join(ann, "tools.ts"),
    `import { hello } from "../common/words.ts";
const inputSchema = { type: "object", properties: { who: { type: "string" } } };
export const greet = { description: "Greets.", inputSchema, execute: ({ who }) => hello(who) };
export const greetAll = { description: "Greets all.", inputSchema, execute: () => hello("all") };
`,
  );
  const git = (...words: string[]) => promisify(execFile)("git", ["-C", repository, ...words]);
  await git("init", "-q");
  await git("remote", "add", "origin", "https://token:secret@git.example.com/acme/tools.git");
  await cp(repository, join(home, "bob"), { recursive: true });
});
afterAll(async () => {
  await cli.close();
  await rm(home, { recursive: true });
});

test("[R11] ten tools are pushed after a yes, shared code beside their folder with them, and then nothing is left", async () => {
  const asked = await bulkhead(ann, "push");
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("→ Say --yes.")]);
  expect(asked.stdout).toMatch(/^create +tool_0 +tool_0\/tool\.js/m);
  const pushed = await bulkhead(ann, "push", "--yes");
  expect([pushed.code, pushed.stdout]).toEqual([0, expect.stringContaining("✓ Pushed: 10 created.")]);
  const called = await owner.post("/api/v1/custom-tools/greet/execute", { arguments: { who: "you" } });
  expect(called.body.data.result).toBe("hello you");
  const again = await bulkhead(ann, "push");
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("✓ Nothing to push")]);
  // A fresh clone has no state: the server says what the repository pushed last, and nothing of who may read it.
  expect(await standings(bob)).toEqual({});
  const { body } = await owner.get("/api/v1/custom-tools/export/hashes?limit=1");
  expect(body.data.tools[0].source).toBe("git.example.com/acme/tools#tools");
});

test("two developers who change one tool find out, and the later one decides", async () => {
  expect((await bulkhead(bob, "push", "--yes")).code).toBe(0);
  await writeTool(ann, "tool_0", "return 'ann';");
  await writeTool(bob, "tool_0", "return 'bob';");
  await writeTool(bob, "tool_1", "return 'bob';");
  expect((await bulkhead(ann, "push", "--yes")).code).toBe(0);
  const refused = await bulkhead(bob, "push", "--yes");
  expect([refused.code, refused.stderr]).toEqual([
    3,
    expect.stringContaining("✗ tool_0 changed on the server"),
  ]);
  expect([await codeOf("tool_0"), await codeOf("tool_1")]).toEqual(["return 'ann';", "return 1;"]);
  const { stdout } = await bulkhead(bob, "diff", "tool_0");
  expect(stdout).toBe(
    "--- server/tool_0/tool.js\n+++ folder/tool_0/tool.js\n@@ -1,1 +1,1 @@\n-return 'ann';\n+return 'bob';\n",
  );
  const forced = await bulkhead(bob, "push", "tool_0", "--overwrite", "--yes");
  expect([forced.code, await codeOf("tool_0"), await codeOf("tool_1")]).toEqual([
    0,
    "return 'bob';",
    "return 1;",
  ]);
  expect(await standings(ann)).toEqual({ tool_0: "changed there" });
  expect(await standings(bob)).toEqual({ tool_1: "changed here" });
});

test("what others change on the server is pulled, over no work of one's own and into no module", async () => {
  await owner.patch("/api/v1/custom-tools/tool_2", { description: "By a person." });
  await owner.patch("/api/v1/custom-tools/greet", { description: "By a person." });
  await owner.patch("/api/v1/custom-tools/tool_3", { description: "By a person." });
  await owner.post("/api/v1/custom-tools", {
    name: "fresh",
    description: "Is new.",
    parameters: { type: "object" },
    code: "return 0;",
  });
  await writeTool(ann, "tool_3", "return 'mine';");
  const pulled = await bulkhead(ann, "pull", "--yes");
  expect([pulled.code, pulled.stdout]).toEqual([3, expect.stringContaining("✓ Pulled: 3 written.")]);
  expect(pulled.stderr).toContain("greet: comes from the module tools.ts");
  expect(pulled.stderr).toContain("tool_3: changed here and on the server");
  const [bobs, described, own] = await Promise.all([
    readFile(join(ann, "tool_0", "tool.js"), "utf8"),
    readFile(join(ann, "tool_2", "manifest.json"), "utf8"),
    readFile(join(ann, "tool_3", "tool.js"), "utf8"),
  ]);
  expect([bobs, json(described).description, own]).toEqual([
    "return 'bob';",
    "By a person.",
    "return 'mine';",
  ]);
  expect(await readFile(join(ann, "fresh", "tool.js"), "utf8")).toBe("return 0;");
  expect(await standings(ann)).toEqual({ greet: "changed there", tool_3: "conflict" });
});

test("what was deleted here is deleted there by a prune alone, and only what was known", async () => {
  await rm(join(ann, "tool_4"), { recursive: true });
  await owner.post("/api/v1/custom-tools", {
    name: "others",
    description: "Is another's.",
    parameters: { type: "object" },
    code: "return 0;",
  });
  const { stdout } = await bulkhead(ann, "push", "tool_4", "--prune", "--dry-run", "--json");
  expect(json(stdout)).toMatchObject({ plan: [{ name: "tool_4", action: "delete" }], pushed: false });
  expect((await owner.get("/api/v1/custom-tools/tool_4")).status).toBe(200);
  const pruned = await bulkhead(ann, "push", "tool_4", "tool_5", "others", "--prune", "--yes");
  expect([pruned.code, pruned.stdout]).toEqual([0, expect.stringContaining("✓ Pushed: 1 deleted.")]);
  expect((await owner.get("/api/v1/custom-tools/tool_4")).status).toBe(404);
  expect((await owner.get("/api/v1/custom-tools/others")).status).toBe(200);
});

test("a pull request gets the plan as Markdown, with the faults of its folder", async () => {
  await writeTool(bob, "tool_6", "return 'changed';");
  const fine = await bulkhead(bob, "push", "tool_6", "--pr-comment");
  expect([fine.code, fine.stdout]).toEqual([
    0,
    expect.stringContaining("| update | `tool_6` | `tool_6/tool.js` | `code` |"),
  ]);
  await writeTool(bob, "tool_6", "return ;;(");
  const faulty = await bulkhead(bob, "push", "--pr-comment");
  expect([faulty.code, faulty.stdout]).toEqual([2, expect.stringContaining("**Faults of the folder**")]);
  expect(await codeOf("tool_6")).toBe("return 1;");
});
