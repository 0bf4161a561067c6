import type { Bulkhead } from "@bulkhead/client";
import { beforeAll, expect, test } from "vitest";
import type { Command } from "commander";
import type { Cli, Start } from "../cli.ts";
import { buildProgram } from "../program.ts";
import { complete } from "./complete.ts";

let program: Command;
beforeAll(async () => {
  const built = buildProgram({} as Start);
  ({ program } = built);
  for (const command of program.commands) await built.load(command);
});

const TOOLS = ["adder", "greeter", "evil$(reboot)"].map((name) => ({ name }));

const cli = (fails = false) =>
  ({
    config: async () => ({ profiles: { default: {}, staging: {} } }),
    client: async () => {
      if (fails) throw new Error("nobody answers");
      return { tools: { list: async () => ({ tools: TOOLS }) } } as unknown as Bulkhead;
    },
  }) as unknown as Cli;

test.each([
  ["a command", "sch", ["schedules"]],
  ["a subcommand", "approvals a", ["allow"]],
  ["the subcommands, and what the one without a name takes", "approvals ", ["list", "show", "allow", "deny"]],
  ["an option of the command", "run x --args", ["--args-file"]],
  ["an option of the list that a group gives by itself", "tools --st", ["--status"]],
  ["an option of all commands", "run x --pro", ["--profile"]],
  ["a profile", "run --profile st", ["staging"]],
  ["a choice of an option", "keys create x --role own", ["owner"]],
  ["a choice of an argument", "mcp install c", ["claude", "cursor"]],
  ["a tool", "run gr", ["greeter"]],
  ["a tool behind an option with its value", "tools show --profile x a", ["adder"]],
  ["nothing behind a word that is no command", "nobody x", []],
])("%s is completed", async (_what, typed, candidates) => {
  expect(await complete(cli(), program, typed.split(" "))).toEqual(candidates);
});

test("a tool whose name a shell would read is left out", async () => {
  expect(await complete(cli(), program, ["run", ""])).toEqual(["adder", "greeter"]);
});

test("a server that does not answer gives no names", async () => {
  expect(await complete(cli(true), program, ["run", ""])).toEqual([]);
});
