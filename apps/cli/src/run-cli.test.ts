import { PassThrough } from "node:stream";
import type { Command } from "commander";
import { expect, test } from "vitest";
import type { Start } from "./cli.ts";
import { COMMANDS, buildProgram } from "./program.ts";
import { runCli } from "./run-cli.ts";

/** Settings in a folder that is not there, and streams that are no terminal. */
function begin() {
  const said = { stdout: "", stderr: "" };
  const output = (name: keyof typeof said) => ({ write: (text: string) => void (said[name] += text) });
  const start = {
    env: { XDG_CONFIG_HOME: "/nowhere" },
    stdin: new PassThrough(),
    stdout: output("stdout"),
    stderr: output("stderr"),
  } as unknown as Start;
  return { start, said };
}

async function run(...words: string[]) {
  const { start, said } = begin();
  return { code: await runCli(words, start), ...said };
}

async function allCommands(): Promise<Command[]> {
  const { program, load } = buildProgram(begin().start);
  const within = (command: Command): Command[] => [command, ...command.commands.flatMap(within)];
  for (const command of program.commands) await load(command);
  return within(program);
}

test("help and version are no faults", async () => {
  const [help, version] = await Promise.all([run("--help"), run("--version")]);
  expect([help.code, help.stderr]).toEqual([0, ""]);
  for (const name of Object.keys(COMMANDS)) expect(help.stdout).toMatch(new RegExp(`^ {2}${name} `, "m"));
  expect(version).toEqual({ code: 0, stdout: "0.1.0\n", stderr: "" });
});

test("the help of a command is asked for in two ways, and says what every command takes", async () => {
  const [asked, said] = await Promise.all([run("run", "--help"), run("help", "run")]);
  expect(asked.stdout).toBe(said.stdout);
  expect(asked.stdout).toContain("--args-file <file>");
  expect(asked.stdout).toContain("--profile <name>");
});

test.each([
  [[], "No command is said."],
  [["lgin"], "Unknown command 'lgin'. (Did you mean login?)"],
  [["tools", "shw"], 'There is no command "tools shw".'],
  [["run"], "Missing required argument 'tool'."],
  [["run", "x", "--frob"], "Unknown option '--frob'."],
  [["keys", "create", "x", "--role", "king"], "Allowed choices are owner, developer, agent, viewer"],
  [["tools", "--limit", "0"], "It must be a whole number, 1 or more."],
  [["login"], "No server is named."],
  [["login", "127.0.0.1:1"], "Nobody can be asked for the key here."],
  [["schedules", "create", "x"], "A schedule needs one of --cron and --every."],
])("%j is a fault of usage", async (words, sentence) => {
  const { code, stdout, stderr } = await run(...words);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(sentence);
  expect(stderr).toContain("→ ");
});

test("without a key the next step is to log in; a script gets it as one object of JSON", async () => {
  const { code, stdout, stderr } = await run("tools", "--json");
  expect([code, stdout]).toEqual([3, ""]);
  expect(JSON.parse(stderr).error).toMatchObject({
    code: "cli.not_logged_in",
    next: expect.stringContaining("bulkhead login"),
    exitCode: 3,
  });
});

test("a next step is written as the program was called", async () => {
  for (const words of [["lgin"], ["lgin", "--json"]]) {
    const { start, said } = begin();
    expect(await runCli(words, { ...start, program: "npx bulkhead" })).toBe(2);
    expect(said.stderr).toContain("See: npx bulkhead --help");
  }
});

test("a fault in JSON is JSON, whatever it repeats", async () => {
  const { stderr } = await run("\u202eslio\u001b[2J", "--json");
  expect(JSON.parse(stderr).error.message).toContain("\u202eslio\u001b[2J");
  for (const harm of ["\u202e", "\u001b"]) expect(stderr).not.toContain(harm);
});

test("every command says what it does", async () => {
  const mute = (await allCommands())
    .filter(
      (command) =>
        command.summary() === "" && command.description() === "" && command.name() !== "__complete",
    )
    .map((command) => command.name());
  expect(mute).toEqual([]);
});

test("no argument or option takes a key or a secret, which other processes could read", async () => {
  const taken = (await allCommands()).flatMap((command) => [
    ...command.options.filter(({ required, optional }) => required || optional).map(({ long }) => long ?? ""),
    ...command.registeredArguments.map((argument) => argument.name()),
  ]);
  // `--key` of executions is the id of one.
  expect(taken.filter((name) => /secret|password|token|value|key/.test(name))).toEqual(["--key"]);
});
