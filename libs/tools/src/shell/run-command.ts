import { Fault, refusalOfLaunch, type CapabilityAnswer, type ShellEngineName } from "@bulkhead/core";
import {
  CHANGED_FILES_MAX,
  OUTPUT_BYTES_MAX,
  PROGRAM_BYTES_MAX,
  PROGRAM_FILES_MAX,
  READ_BYTES_MAX,
  TENANT_COMMANDS_MAX,
  WORKSPACE_FILES_MAX,
  WRITTEN_BYTES_MAX,
} from "../built-in/shell/bounds.ts";
import { folderPath, type FileAsker, type FilesDeps } from "../files/file-access.ts";
import type { CommandTurns } from "./command-turns.ts";
import { OutputKeeper } from "./output-keeper.ts";
import {
  EngineMissingError,
  ShellRun,
  type ShellChild,
  type ShellCommand,
  type ShellEnd,
} from "./shell-process.ts";
import { copyWorkspace, readCopied, saveChanges, type Saved, type WorkspaceCopy } from "./workspace-copy.ts";

type Engine = Exclude<ShellEngineName, "off">;
type Refused = Extract<CapabilityAnswer, { ok: false }>;

export interface ShellDeps extends FilesDeps {
  turns: Pick<CommandTurns, "take">;
  /** Starts a process for one command of the tenant's; rejects with an EngineMissingError, for people. */
  start: Readonly<Record<Engine, (tenantId: string) => Promise<ShellChild>>>;
}

/** What a command has left. */
export interface CommandResult extends Saved {
  stdout: string;
  stderr: string;
  exitCode: number;
  timedOut: boolean;
  /** Something of the outputs is left out. */
  truncated: boolean;
  engine: Engine;
}

/** Called with the run once there is one, and with what it says. */
export interface CommandWatch {
  begun(run: Pick<ShellRun, "write" | "stop">): void;
  heard(from: "stdout" | "stderr", text: string): void;
}

/** As a shell tells of a program that was killed, and of one whose time was over. */
const KILLED = 137;
const TIMED_OUT = 124;

/**
 * Runs one command over the asker's workspace, by the engine that the tenant's settings name, and brings its changes back.
 * Throws faults of files for a `cwd` that is no path.
 */
export async function runCommand(
  deps: ShellDeps,
  asker: FileAsker,
  command: ShellCommand,
  signal: AbortSignal,
  watch?: CommandWatch,
): Promise<{ ok: true; result: CommandResult } | Refused> {
  const { tenantId } = asker.workspace;
  const cwd = folderPath(command.cwd.replace(/^\/workspace(?=\/|$)\/?/, ""), "cwd");
  const engine = await engineOf(deps, tenantId);
  if (engine === "off")
    return refused("capability_denied", "The tenant's settings turn commands off (shell.engine).");
  const turn = await deps.turns.take(tenantId, signal);
  if (turn.outcome !== "taken")
    return turn.outcome === "aborted"
      ? refused("aborted", "The command was given up before it began.")
      : refused(
          "capability_limit",
          `Too many commands wait: a tenant runs ${TENANT_COMMANDS_MAX} at one time on a worker. Try again with fewer.`,
        );
  try {
    return await runIn(deps, asker, engine, { ...command, cwd }, signal, watch);
  } finally {
    turn.leave();
  }
}

/** What the tenant's settings say at this moment. */
export async function engineOf(deps: Pick<ShellDeps, "tenants">, tenantId: string): Promise<ShellEngineName> {
  const engine = await findEngine(deps, tenantId);
  if (engine === null) throw new Fault("tenant.not_found");
  return engine;
}

/** The same; null for a tenant that is gone, or is being deleted. */
export async function findEngine(
  { tenants }: Pick<ShellDeps, "tenants">,
  tenantId: string,
): Promise<ShellEngineName | null> {
  const tenant = await tenants.find(tenantId);
  return !tenant || tenant.deletingAt ? null : tenant.settings.shell.engine;
}

async function runIn(
  deps: ShellDeps,
  asker: FileAsker,
  engine: Engine,
  command: ShellCommand,
  signal: AbortSignal,
  watch: CommandWatch | undefined,
): Promise<{ ok: true; result: CommandResult } | Refused> {
  const copy = await copyWorkspace(deps, asker);
  if (copy === null)
    return refused(
      "capability_limit",
      `The workspace has more than ${WORKSPACE_FILES_MAX} files, more than a command can be shown.`,
    );
  const { cwd } = command;
  if (cwd !== "" && !copy.keys().some((path) => path.startsWith(`${cwd}/`)))
    return refused("not_found", `There is no folder ${cwd} in the workspace to run the command in.`);
  const bytes = copy.values().reduce((sum, { size }) => sum + size, 0);
  if (engine === "namespaces" && (copy.size > PROGRAM_FILES_MAX || bytes > PROGRAM_BYTES_MAX))
    return refused(
      "capability_limit",
      `The workspace has ${copy.size} files of ${bytes} bytes; a command in namespaces takes ${PROGRAM_FILES_MAX} and ${PROGRAM_BYTES_MAX} at most.`,
    );
  const started = await begin(deps, engine, asker.workspace.tenantId);
  if ("ok" in started) return started;
  const output = new OutputKeeper(OUTPUT_BYTES_MAX);
  const run = new ShellRun(started, command, {
    files: [...copy.values()].map(({ path, size, writtenAt }) => [path, size, writtenAt.getTime()]),
    read: (path) => readOf(deps, asker, copy, path),
    hear: (from, text) => {
      output.add(from, text);
      watch?.heard(from, text);
    },
  });
  watch?.begun(run);
  const end = await run.end(signal);
  if (end.outcome === "aborted")
    return refused("aborted", "The command was given up; nothing of it is saved.");
  if (end.outcome === "unstarted" || (end.outcome === "died" && end.why === null))
    return refused("failed", "The shell broke off, and nothing of the command is saved; try again.");
  const saved = await savedOf(deps, asker, copy, end);
  const isEnd = end.outcome === "ended";
  const timedOut = isEnd ? end.timedOut : end.outcome === "overran";
  return {
    ok: true,
    result: {
      ...output.texts,
      exitCode: timedOut ? TIMED_OUT : isEnd ? end.exitCode : KILLED,
      timedOut,
      truncated: output.isCut || (isEnd && end.truncated),
      engine,
      ...saved,
    },
  };
}

async function begin({ start }: ShellDeps, engine: Engine, tenantId: string): Promise<ShellChild | Refused> {
  try {
    return await start[engine](tenantId);
  } catch (error) {
    if (error instanceof EngineMissingError) return refused(refusalOfLaunch(error.cause), error.message);
    throw error;
  }
}

async function readOf(deps: ShellDeps, asker: FileAsker, copy: WorkspaceCopy, path: string) {
  const file = copy.get(path);
  return file === undefined ? null : readCopied(deps, asker, file);
}

const EXCEEDED = {
  files: `It changed more than ${CHANGED_FILES_MAX} files.`,
  bytes: `It wrote more than ${WRITTEN_BYTES_MAX} bytes.`,
  reading: `It read more than ${READ_BYTES_MAX} bytes of the workspace.`,
  overran: "Its time was over, it did not stop, and it was killed.",
};

const NONE_SAVED = "None of the command's changes to files is saved.";

function whyNone(end: Over): string {
  if (end.outcome === "died") return end.why ?? "The shell broke off.";
  return EXCEEDED[end.outcome === "ended" ? (end.exceeded ?? "bytes") : end.outcome];
}

type Ended = Extract<ShellEnd, { outcome: "ended" }>;
type Over = Ended | { outcome: "overran" } | { outcome: "died"; why: string | null };

async function savedOf(deps: ShellDeps, asker: FileAsker, copy: WorkspaceCopy, end: Over): Promise<Saved> {
  if (end.outcome === "ended" && end.exceeded === null) return saveChanges(deps, asker, copy, end.changes);
  return { written: 0, removed: 0, unsaved: [{ path: "*", why: `${whyNone(end)} ${NONE_SAVED}` }] };
}

const refused = (code: Refused["code"], message: string): Refused => ({ ok: false, code, message });
