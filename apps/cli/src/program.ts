import { Command, type CommandOptions } from "commander";
import { Cli, type Act, type Define, type GlobalOptions, type Start } from "./cli.ts";
import { COMPLETE, complete } from "./completion/complete.ts";
import { VERSION } from "./version.ts";

interface Entry {
  group: string;
  summary: string;
  load: () => Promise<Define>;
}

const START = "Get started:";
const WRITE = "Write tools:";
const RUN = "Run and watch:";
const DECIDE = "Decide and administer:";
const CONNECT = "Connect:";

/** Every command, in the order of the help; a command's own file is only loaded when it is the one that was typed. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  login: {
    group: START,
    summary: "keep a server and a key of it",
    load: async () => (await import("./commands/login.ts")).defineLogin,
  },
  logout: {
    group: START,
    summary: "forget a key",
    load: async () => (await import("./commands/logout.ts")).defineLogout,
  },
  whoami: {
    group: START,
    summary: "whose key is used, where, and what it may do",
    load: async () => (await import("./commands/whoami.ts")).defineWhoami,
  },
  init: {
    group: WRITE,
    summary: "begin a folder of tools: an example, types, AGENTS.md",
    load: async () => (await import("./commands/init.ts")).defineInit,
  },
  new: {
    group: WRITE,
    summary: "write a tool from a template",
    load: async () => (await import("./commands/new.ts")).defineNew,
  },
  push: {
    group: WRITE,
    summary: "make the server's tools what the folder says",
    load: async () => (await import("./commands/push.ts")).definePush,
  },
  pull: {
    group: WRITE,
    summary: "write what is new on the server into the folder",
    load: async () => (await import("./commands/pull.ts")).definePull,
  },
  status: {
    group: WRITE,
    summary: "how each tool of the folder and the server stands",
    load: async () => (await import("./commands/status.ts")).defineStatus,
  },
  diff: {
    group: WRITE,
    summary: "what a push would change, line by line",
    load: async () => (await import("./commands/diff.ts")).defineDiff,
  },
  dev: {
    group: WRITE,
    summary: "watch a folder of tools: each save is checked, uploaded as a draft, and tried out",
    load: async () => (await import("./commands/dev.ts")).defineDev,
  },
  test: {
    group: WRITE,
    summary: "run the examples of a folder's tools in the sandbox",
    load: async () => (await import("./commands/test.ts")).defineTest,
  },
  run: {
    group: RUN,
    summary: "run a tool: its logs as they come, then its result",
    load: async () => (await import("./commands/run.ts")).defineRun,
  },
  logs: {
    group: RUN,
    summary: "what an execution said, or what all of them say from now on",
    load: async () => (await import("./commands/logs.ts")).defineLogs,
  },
  tools: {
    group: RUN,
    summary: "list, show, enable, disable and delete tools",
    load: async () => (await import("./commands/tools.ts")).defineTools,
  },
  executions: {
    group: RUN,
    summary: "list, show, replay and cancel executions",
    load: async () => (await import("./commands/executions.ts")).defineExecutions,
  },
  schedules: {
    group: RUN,
    summary: "run tools at times",
    load: async () => (await import("./commands/schedules.ts")).defineSchedules,
  },
  files: {
    group: RUN,
    summary: "files of workspaces: list, get, put and delete them",
    load: async () => (await import("./commands/files.ts")).defineFiles,
  },
  approvals: {
    group: DECIDE,
    summary: "allow or deny the calls that wait for a person",
    load: async () => (await import("./commands/approvals.ts")).defineApprovals,
  },
  secrets: {
    group: DECIDE,
    summary: "keys of outside services, which tools use and never see",
    load: async () => (await import("./commands/secrets.ts")).defineSecrets,
  },
  keys: {
    group: DECIDE,
    summary: "list, create, rotate and delete API keys",
    load: async () => (await import("./commands/keys.ts")).defineKeys,
  },
  devices: {
    group: DECIDE,
    summary: "machines whose commands agents may invoke: codes for new ones, list, rename, remove",
    load: async () => (await import("./commands/devices.ts")).defineDevices,
  },
  device: {
    group: CONNECT,
    summary: "make this machine a device, whose commands agents may invoke",
    load: async () => (await import("./commands/device.ts")).defineDevice,
  },
  mcp: {
    group: CONNECT,
    summary: "an MCP server on stdin and stdout, for clients that speak no HTTP",
    load: async () => (await import("./commands/mcp.ts")).defineMcp,
  },
  types: {
    group: CONNECT,
    summary: "TypeScript of the tools' arguments and results",
    load: async () => (await import("./commands/types.ts")).defineTypes,
  },
  open: {
    group: CONNECT,
    summary: "open the API's reference or the console",
    load: async () => (await import("./commands/open.ts")).defineOpen,
  },
  completion: {
    group: CONNECT,
    summary: "what a shell needs to complete commands",
    load: async () => (await import("./commands/completion.ts")).defineCompletion,
  },
};

const actOf =
  (start: Start): Act =>
  (handler) =>
  async (...said) => {
    const command = said.at(-1) as Command;
    const cli = new Cli(start, command.optsWithGlobals<GlobalOptions>());
    await (handler as (cli: Cli, ...rest: unknown[]) => Promise<void>)(cli, ...said.slice(0, -1));
  };

const commonSettings = (command: Command, write: (text: string) => void): Command =>
  command
    .exitOverride()
    .helpCommand(false)
    .showSuggestionAfterError()
    .configureOutput({ writeOut: write, writeErr: () => {}, outputError: () => {} });

/** The whole command line; `load` fills one command, and `parseAsync` loads the one that is asked for by itself. */
export function buildProgram(start: Start): { program: Command; load: (command: Command) => Promise<void> } {
  const program = commonSettings(new Command("bulkhead"), (text) => void start.stdout.write(text))
    .description("Runs tools on a Bulkhead server, and watches and administers them.")
    .usage("<command> [options]")
    .version(VERSION, "-V, --version", "tell the version")
    .option("--url <url>", "the server (else BULKHEAD_URL, else the profile's)")
    .option("--profile <name>", "a profile that bulkhead login has kept")
    .option("--json", "answer in JSON, for scripts")
    .option("-q, --quiet", "tell results and faults only")
    .helpOption("-h, --help", "tell how it is used")
    .configureHelp({ showGlobalOptions: true, sortOptions: false })
    .addHelpText("after", HELP_END);
  for (const [name, { group, summary }] of Object.entries(COMMANDS))
    program.command(name).summary(summary).description(sentence(summary)).helpGroup(group);
  const load = async (command: Command): Promise<void> =>
    (await COMMANDS[command.name()]?.load())?.(command, actOf(start));
  program.hook("preSubcommand", (_program, command) => load(command));
  const hidden: CommandOptions = { hidden: true };
  program
    .command(COMPLETE, hidden)
    .argument("[words...]")
    .allowUnknownOption()
    .action(
      actOf(start)(async (cli, words: string[]) => {
        for (const each of program.commands) await load(each);
        for (const candidate of await complete(cli, program, words)) cli.terminal.line(candidate);
      }),
    );
  return { program, load };
}

const sentence = (summary: string): string => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;

const HELP_END = `
Exit codes: 0 fine, 1 the tool failed, 2 usage, 3 refused or not found, 4 not reachable or failed.
Environment: BULKHEAD_URL and BULKHEAD_KEY stand for a profile; NO_COLOR switches colours off.`;
