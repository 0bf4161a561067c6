import {
  newProcessId,
  PROCESS_WORD_CHARS_MAX,
  PROCESSES_MAX,
  type CapabilityAnswer,
  type JsonObject,
  type ProcessBoard,
  type ShownProcess,
} from "@bulkhead/core";
import { z } from "zod";
import { folderPath, type FileAsker } from "../../files/file-access.ts";
import type { BackgroundCommands } from "../../shell/background-commands.ts";
import { engineOf, type ShellDeps } from "../../shell/run-command.ts";
import {
  BACKGROUND_MS_DEFAULT,
  BACKGROUND_MS_MAX,
  COMMAND_MS_MIN,
  OUTPUT_READ_BYTES_MAX,
  PROCESS_ID_CHARS_MAX,
  SHOWN_COMMAND_CHARS_MAX,
} from "./bounds.ts";
import { COMMAND } from "./command.ts";

const id = z.string().max(PROCESS_ID_CHARS_MAX);
export const START = COMMAND.extend({
  timeoutMs: z.int().min(COMMAND_MS_MIN).max(BACKGROUND_MS_MAX).default(BACKGROUND_MS_DEFAULT),
});
export const LIST = z.strictObject({});
export const OUTPUT = z.strictObject({ id, since: z.int().min(0).default(0) });
export const WRITE = z.strictObject({
  id,
  text: z.string().max(PROCESS_WORD_CHARS_MAX).default(""),
  end: z.boolean().default(false),
});
export const STOP = z.strictObject({ id });

export interface ProcessDeps extends ShellDeps {
  background: BackgroundCommands;
}

const given = (value: JsonObject): CapabilityAnswer => ({ ok: true, value });
const refused = (
  code: "capability_denied" | "capability_limit" | "conflict" | "not_found",
  message: string,
): CapabilityAnswer => ({ ok: false, code, message });

export async function startProcess(
  deps: ProcessDeps,
  asker: FileAsker,
  asked: z.output<typeof START>,
  stdin: string,
): Promise<CapabilityAnswer> {
  const { workspace } = asker;
  folderPath(asked.cwd.replace(/^\/workspace(?=\/|$)\/?/, ""), "cwd");
  const engine = await engineOf(deps, workspace.tenantId);
  if (engine === "off")
    return refused("capability_denied", "The tenant's settings turn commands off (shell.engine).");
  const facts = {
    ...workspace,
    processId: newProcessId(),
    command: asked.command.slice(0, SHOWN_COMMAND_CHARS_MAX).toWellFormed(),
    engine,
    startedAt: new Date().toISOString(),
  };
  const command = { ...asked, stdin, keepsInput: engine === "namespaces" };
  const started = await deps.background.start(deps, asker, command, facts);
  if (started === "full")
    return refused(
      "capability_limit",
      `The tenant has ${PROCESSES_MAX} commands in the background, as many as it may have: wait for one, or stop it.`,
    );
  if (started === "crowded")
    return refused(
      "capability_limit",
      "This worker has as many commands in the background as it can bear; try again.",
    );
  return given({ id: facts.processId, status: "running", engine, startedAt: facts.startedAt });
}

const isOf =
  ({ workspace: { agentId, userId } }: FileAsker) =>
  (process: ShownProcess): boolean =>
    process.agentId === agentId && process.userId === userId;

/** The process, if it is the asker's. */
async function find(board: ProcessBoard, asker: FileAsker, processId: string): Promise<ShownProcess | null> {
  const found = await board.find({ tenantId: asker.workspace.tenantId, processId });
  return found !== null && isOf(asker)(found) ? found : null;
}

const noSuch = (processId: string): CapabilityAnswer =>
  refused(
    "not_found",
    `There is no command ${processId} in the background; the action list shows those that are known.`,
  );

export async function listProcesses(
  { background: { board } }: ProcessDeps,
  asker: FileAsker,
): Promise<CapabilityAnswer> {
  const all = await board.list(asker.workspace.tenantId);
  return given({ processes: all.filter(isOf(asker)).map(shown) });
}

const shown = ({
  processId,
  command,
  engine,
  status,
  startedAt,
  end,
  outputBytes,
}: ShownProcess): JsonObject => ({
  id: processId,
  command,
  engine,
  status,
  startedAt,
  outputBytes,
  ...(end !== null && { ...end, unsaved: end.unsaved.map((one) => ({ ...one })) }),
});

export async function processOutput(
  { background: { board } }: ProcessDeps,
  asker: FileAsker,
  { id: processId, since }: z.output<typeof OUTPUT>,
): Promise<CapabilityAnswer> {
  const process = await find(board, asker, processId);
  if (process === null) return noSuch(processId);
  if (since > process.outputBytes)
    return refused(
      "conflict",
      `The output has ${process.outputBytes} bytes so far; go on with the answer's next.`,
    );
  const to = Math.min(process.outputBytes, since + OUTPUT_READ_BYTES_MAX);
  const bytes = Buffer.from(to > since ? await board.read(process, since, to) : []);
  const whole = to < process.outputBytes ? wholeCharacters(bytes) : bytes;
  return given({ ...shown(process), output: whole.toString(), next: since + whole.length });
}

/** Without the beginning of a character at the end. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  // A continuation byte is 10xxxxxx, and a character has four bytes at most.
  while (end > 0 && bytes.length - end < 3 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return (bytes[end - 1] ?? 0) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes;
}

export async function writeToProcess(
  { background: { board } }: ProcessDeps,
  asker: FileAsker,
  { id: processId, text, end }: z.output<typeof WRITE>,
): Promise<CapabilityAnswer> {
  const process = await find(board, asker, processId);
  if (process === null) return noSuch(processId);
  if (process.status !== "running") return refused("conflict", `The command is ${process.status}.`);
  if (process.engine === "virtual")
    return refused("conflict", "The engine virtual takes all of a command's input at its start, as stdin.");
  const words = [
    ...(text === "" ? [] : [{ kind: "input", text } as const]),
    ...(end ? [{ kind: "input", text: null } as const] : []),
  ];
  for (const word of words)
    if (!(await board.tell(process, word)))
      return refused("capability_limit", "The command has not taken yet what it was told before; try again.");
  return given({ id: processId, written: true });
}

export async function stopProcess(
  { background: { board } }: ProcessDeps,
  asker: FileAsker,
  { id: processId }: z.output<typeof STOP>,
): Promise<CapabilityAnswer> {
  const process = await find(board, asker, processId);
  if (process === null) return noSuch(processId);
  if (process.status === "running" && !(await board.tell(process, { kind: "stop" })))
    return refused("capability_limit", "The command has not taken yet what it was told before; try again.");
  return given({ id: processId, status: process.status, stopping: process.status === "running" });
}
