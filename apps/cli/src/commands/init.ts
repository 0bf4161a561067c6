import { existsSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, posix, relative, resolve, sep } from "node:path";
import type { Cli, Define } from "../cli.ts";
import { usageFault } from "../faults/cli-fault.ts";
import { findUnits } from "../folders/find-units.ts";
import { repositoryOf } from "../folders/repository-of.ts";
import { EXAMPLE_TOOL } from "../project/example-tool.ts";
import { projectFiles, TYPES_FILE } from "../project/project-files.ts";
import { findToolGlobals } from "../project/find-tool-globals.ts";
import { WORKFLOW_FILE, workflowText } from "../project/workflow.ts";
import { type WrittenFiles, writeNewFiles } from "../project/write-new-files.ts";
import { askYesNo } from "../terminal/ask.ts";

interface InitOptions {
  github?: boolean;
  yes?: true;
}

export const defineInit: Define = (command, act) => {
  command
    .argument("[folder]", "where the tools are to be; it is made if it is not there", ".")
    .option("--github", `write ${WORKFLOW_FILE}, by which tools change through pull requests`)
    .option("--no-github", "write no workflow")
    .option("-y, --yes", "ask nothing")
    .addHelpText(
      "after",
      `
Writes an example tool with its examples, ${TYPES_FILE} and tsconfig.json for editors, and AGENTS.md for coding agents. What is
there already stays as it is, and a folder with tools gets no example.`,
    )
    .action(act((cli, folder: string, options: InitOptions) => init(cli, folder, options)));
};

async function init(cli: Cli, said: string, options: InitOptions): Promise<void> {
  const { terminal } = cli;
  const folder = await wholePath(said);
  const github = await wantsWorkflow(cli, options);
  const repository = repositoryOf(folder);
  // A workflow counts at the root of a repository alone, and the folder may lie below it.
  const base = github ? (repository ?? folder) : folder;
  const inBase = relative(base, folder).replaceAll(sep, "/");
  const workflow = github ? new Map([[WORKFLOW_FILE, workflowText(inBase)]]) : [];
  const types = await terminal.during("Asking for the types…", () => findToolGlobals(cli));
  const own = [...(hasTools(folder) ? [] : EXAMPLE_TOOL), ...projectFiles(types.text)];
  const files = own.map(([path, text]) => [posix.join(inBase, path), text] as const);
  const { written, kept } = await writeNewFiles(base, new Map([...files, ...workflow]));
  const shown = (paths: readonly string[]): string[] =>
    paths.map((path) => relative(process.cwd(), join(base, path)));
  tell(cli, { folder, written: shown(written), kept: shown(kept), ownTypes: types.missing });
  if (!terminal.json) tellNext(cli, { folder, repository, github, ownTypes: types.missing });
}

/** Without links, also of a folder that is not there yet. */
async function wholePath(said: string): Promise<string> {
  const path = resolve(said);
  if (!existsSync(path)) return join(await wholePath(dirname(path)), basename(path));
  if ((await stat(path)).isDirectory()) return realpath(path);
  throw usageFault(`${said} is no folder.`, "Name another one.");
}

const hasTools = (folder: string): boolean =>
  existsSync(folder) && findUnits(folder, () => undefined).length > 0;

async function wantsWorkflow({ terminal }: Cli, { github, yes }: InitOptions): Promise<boolean> {
  if (github !== undefined) return github;
  if (yes || !terminal.interactive) return false;
  return askYesNo(terminal, "Write a GitHub workflow, by which tools change through pull requests?");
}

interface Told extends WrittenFiles {
  folder: string;
  /** Why the types are not the server's; null where they are. */
  ownTypes: string | null;
}

function tell({ terminal }: Cli, { folder, written, kept, ownTypes }: Told): void {
  if (terminal.json)
    return terminal.value({ folder, written, kept, types: ownTypes === null ? "server" : "own" });
  for (const path of written) terminal.line(`✓ ${path}`, "green");
  for (const path of kept) terminal.line(`· ${path} was there and stays as it is`, "dim");
  if (ownTypes !== null)
    terminal.note(`! ${TYPES_FILE} is this command line's own, since no server told: ${ownTypes}`, "yellow");
}

/** Whether npm has a lock file for the folder, in it or around it. */
const isLocked = (folder: string, last: string): boolean =>
  existsSync(join(folder, "package-lock.json")) || (folder !== last && isLocked(dirname(folder), last));

interface Next {
  folder: string;
  repository: string | null;
  github: boolean;
  ownTypes: string | null;
}

function tellNext({ terminal }: Cli, { folder, repository, github, ownTypes }: Next): void {
  const here = relative(process.cwd(), folder);
  const steps = [
    ...(here === "" ? [] : [`cd ${here}`]),
    ...(ownTypes === null ? [] : ["bulkhead login <url>"]),
    "bulkhead test   runs the examples in the sandbox",
    "bulkhead dev    does so on each save",
    "bulkhead push   sends the tools, after a plan and a question",
    ...(github && repository === null ? ["git init"] : []),
    ...(github && !isLocked(folder, repository ?? folder)
      ? ["npm install --save-dev <tarball of bulkhead-cli, kept in the repository>   for the workflow"]
      : []),
    ...(github ? [`what the head of ${WORKFLOW_FILE} says, in the settings of the repository`] : []),
  ];
  terminal.next(`Next:\n${steps.map((step) => `  ${step}`).join("\n")}`);
}
