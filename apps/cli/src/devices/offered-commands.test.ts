import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readOffered } from "./offered-commands.ts";
import { wordsOf } from "./run-program.ts";

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), "offered-"))));
afterAll(() => rm(folder, { recursive: true }));

let count = 0;
async function written(text: string): Promise<string> {
  count += 1;
  const path = join(folder, `${count}.json`);
  await writeFile(path, text);
  return path;
}
const read = async (commands: object) => readOffered(await written(JSON.stringify({ commands })));

test("a command is offered with what is said of it, and what is not said follows from its words", async () => {
  const run = ["grep", "-rn", "--", "{{text}}", "{{ folder }}", "{{text}}"];
  const [plain, whole] = await read({
    find: { description: "Finds.", run },
    disk: {
      description: "Tells.",
      run: ["df", "{{x}}"],
      parameters: { type: "object", properties: { x: {}, y: {} } },
      timeoutMs: 5,
      cwd: "logs",
      output: "json",
    },
  });
  const type = ["string", "number", "boolean"];
  expect(plain).toEqual({
    name: "find",
    description: "Finds.",
    run,
    parameters: {
      type: "object",
      properties: { text: { type }, folder: { type } },
      required: ["text", "folder"],
      additionalProperties: false,
    },
    timeoutMs: 120_000,
    cwd: folder,
    output: "text",
  });
  expect(whole).toMatchObject({ timeoutMs: 5, cwd: join(folder, "logs"), output: "json" });
});

test.each<[object, string, string]>([
  [{ find: { description: "", run: [] } }, "commands.find.run", ""],
  [{ find: { description: "", run: ["{{program}}"] } }, "commands.find.run", "program itself"],
  [{ find: { description: "", run: ["x", "a{{b}}"] } }, "commands.find.run", "whole word"],
  [{ find: { description: "", run: ["x", "{{a b}}"] } }, "commands.find.run", "whole word"],
  [{ find: { description: "", run: "df -h" } }, "commands.find.run", ""],
  [{ find: { description: "", run: ["x"], shell: true } }, "commands.find", "shell"],
  [{ find: { description: "", run: ["x"], timeoutMs: 120_001 } }, "commands.find.timeoutMs", ""],
  [
    { find: { description: "", run: ["x", "{{b}}"], parameters: { type: "object", properties: { a: {} } } } },
    "commands.find.run",
    "has no b",
  ],
  [{ "a name": { description: "", run: ["x"] } }, "commands.a name", ""],
  [{}, "commands", "no command"],
])("%j is refused where it is wrong", async (commands, path, message) => {
  const error = await read(commands).catch((fault: unknown) => fault);
  expect(error).toMatchObject({ parts: { exit: 2, code: "cli.commands_invalid" } });
  const { errors } = (error as { parts: { errors: { path: string; message: string }[] } }).parts;
  expect(errors[0]?.path.startsWith(path)).toBe(true);
  expect(JSON.stringify(errors)).toContain(message);
});

test("a file that others may change, that is no JSON, or that is not there is refused", async () => {
  const open = await written(`{"commands":{"x":{"description":"","run":["x"]}}}`);
  await chmod(open, 0o622);
  await expect(readOffered(open)).rejects.toThrow("may be changed by other users");
  await expect(readOffered(await written("{ no"))).rejects.toThrow("is no list of commands");
  await expect(readOffered(join(folder, "nowhere.json"))).rejects.toThrow("can't be read");
});

test("an argument is one word, whatever it holds; one that is missing or can't be given is told", () => {
  const run = ["x", "--", "{{a}}", "$HOME", "{{b}}"];
  const hostile = `it's "$(id)"; & | \n *`;
  expect(wordsOf(run, { a: hostile, b: 1.5 })).toEqual({ words: ["x", "--", hostile, "$HOME", "1.5"] });
  expect(wordsOf(run, { a: ["x"], b: false })).toEqual({ words: ["x", "--", '["x"]', "$HOME", "false"] });
  expect(wordsOf(run, { a: "" })).toEqual({ missing: "The argument b is missing." });
  expect(wordsOf(["x", "{{constructor}}"], {})).toEqual({ missing: "The argument constructor is missing." });
  expect(wordsOf(run, { a: "a\0b", b: "" })).toEqual({ missing: expect.stringContaining("NUL") });
});
