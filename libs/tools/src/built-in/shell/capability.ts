import type {
  CapabilityAnswer,
  CapabilityCaller,
  CapabilityFamily,
  CapabilityRequest,
  JsonObject,
} from "@bulkhead/core";
import type { z } from "zod";
import type { FileAsker } from "../../files/file-access.ts";
import { runCommand } from "../../shell/run-command.ts";
import { readAsked } from "../read-asked.ts";
import { STDIN_BYTES_MAX } from "./bounds.ts";
import { judgeTenantCommand } from "./command-threads.ts";
import { EXEC, stdinOf, type COMMAND } from "./command.ts";
import {
  LIST,
  listProcesses,
  OUTPUT,
  processOutput,
  START,
  startProcess,
  STOP,
  stopProcess,
  WRITE,
  writeToProcess,
  type ProcessDeps,
} from "./processes.ts";

interface Asked {
  deps: ProcessDeps;
  asker: FileAsker;
  content: CapabilityRequest["content"];
  signal: AbortSignal;
}
type Operate = (asked: Asked, args: JsonObject) => Promise<CapabilityAnswer>;

/** Reads the arguments and does it; what they lack or have too much is refused. */
const operation =
  <T>(schema: z.ZodType<T>, work: (asked: Asked, args: T) => Promise<CapabilityAnswer>): Operate =>
  async (asked, said) => {
    const read = readAsked(schema, said);
    return read.ok ? work(asked, read.asked) : read;
  };

const REFUSALS = {
  unreadable: "invalid_request",
  busy: "capability_limit",
  denied: "capability_denied",
  blocked: "capability_denied",
} as const;

/** What holds for every command, whoever asks; what a tenant lets its agents run is checked where an agent asks. */
async function whyNotRun(tenantId: string, command: string): Promise<CapabilityAnswer | null> {
  const judged = await judgeTenantCommand(tenantId, command);
  if (judged.verdict === "run") return null;
  return { ok: false, code: REFUSALS[judged.because], message: judged.message };
}

/** A command that is to run, with what it reads on its standard input, which comes as the request's content. */
const command =
  <T extends z.output<typeof COMMAND>>(
    work: (asked: Asked, args: T, stdin: string) => Promise<CapabilityAnswer>,
  ) =>
  async (asked: Asked, args: T): Promise<CapabilityAnswer> => {
    const stdin = stdinOf(asked.content);
    if (stdin === null) return invalid(`stdin: must have ${STDIN_BYTES_MAX} bytes at most`);
    return (await whyNotRun(asked.asker.workspace.tenantId, args.command)) ?? work(asked, args, stdin);
  };

const exec = command<z.output<typeof EXEC>>(async ({ deps, asker, signal }, args, stdin) => {
  const ran = await runCommand(deps, asker, { ...args, stdin, keepsInput: false }, signal);
  if (!ran.ok) return ran;
  return { ok: true, value: { ...ran.result, unsaved: ran.result.unsaved.map((one) => ({ ...one })) } };
});
const start = command<z.output<typeof START>>(({ deps, asker }, args, stdin) =>
  startProcess(deps, asker, args, stdin),
);

const OPERATIONS: ReadonlyMap<string, [effect: "reads" | "writes", Operate]> = new Map([
  ["exec", ["writes", operation(EXEC, exec)]],
  ["start", ["writes", operation(START, start)]],
  ["list", ["reads", operation(LIST, ({ deps, asker }) => listProcesses(deps, asker))]],
  ["output", ["reads", operation(OUTPUT, ({ deps, asker }, args) => processOutput(deps, asker, args))]],
  ["write", ["writes", operation(WRITE, ({ deps, asker }, args) => writeToProcess(deps, asker, args))]],
  ["stop", ["writes", operation(STOP, ({ deps, asker }, args) => stopProcess(deps, asker, args))]],
]);

/** The capability `shell`: commands over the workspace of whoever made the call. */
export function openShell(deps: ProcessDeps): CapabilityFamily {
  return {
    operations: new Map([...OPERATIONS].map(([name, [effect]]) => [name, effect])),
    async run({ operation: name, arguments: said, content, variables }, caller, signal) {
      const [, operate] = OPERATIONS.get(name) ?? [];
      const args = variables === undefined ? said : { ...said, env: { ...variables } };
      return operate
        ? operate({ deps, asker: askerOf(caller), content, signal }, args)
        : invalid(`there is no operation ${name}`);
    },
  };
}

const askerOf = ({ tenantId, agentId, userId, executionId }: CapabilityCaller): FileAsker => ({
  workspace: { tenantId, agentId, userId },
  by: executionId,
  seesAll: false,
});

const invalid = (message: string): CapabilityAnswer => ({ ok: false, code: "invalid_request", message });
