import { Fault, type CommandRule, type JsonObject } from "@bulkhead/core";
import { ThreadPool, type ThreadOutcome } from "@bulkhead/process";
import { READ_MS_MAX, READ_QUEUE_MAX, READ_WAIT_MS_MAX, READER_HEAP_MIB_MAX, READERS_MAX } from "./bounds.ts";
import { refuse, type JudgedCommand } from "./judge/judged-command.ts";
import { invalidCommand } from "./template/read-template.ts";

export type CommandJob =
  | { command: string; rules: readonly CommandRule[]; cwd: string | undefined }
  | { template: string; parameters: JsonObject };
export type CommandAnswer = { judged: JudgedCommand } | { wrong: string | null };

/**
 * The shell's parser works in threads: there are lines at which it never ends and takes all memory. They keep nothing, so that
 * one set serves a whole process, are started with the first line, and keep no process from ending.
 */
const threads = new ThreadPool<CommandJob, CommandAnswer>({
  program: {
    entry: new URL("./command-thread.ts", import.meta.url),
    heapMibMax: READER_HEAP_MIB_MAX,
    keepsProcess: false,
  },
  threadsMax: READERS_MAX,
  queueMax: READ_QUEUE_MAX,
  waitMsMax: READ_WAIT_MS_MAX,
  msMaxFor: () => READ_MS_MAX,
});

const BUSY = "Too many command lines are being read. Try again in a moment.";
const TOO_MUCH = "reading it takes too much time or memory";

/**
 * Whether a tenant's command line may be run at all, and what these rules of the tenant's say of it: see `judgeCommand`. Never
 * rejects.
 */
export async function judgeTenantCommand(
  tenantId: string,
  command: string,
  rules: readonly CommandRule[] = [],
  cwd?: string,
): Promise<JudgedCommand> {
  const done = await threads.run(tenantId, { command, rules, cwd });
  if (done.outcome === "answered" && "judged" in done.answer) return done.answer.judged;
  if (done.outcome === "unavailable") return refuse("busy", BUSY);
  return refuse("unreadable", `The command can't be read: ${TOO_MUCH}.`);
}

/** Throws `request.invalid` for a template that is not sound, see `checkTemplate`, and `service.unavailable`. */
export async function checkTenantTemplate(
  tenantId: string,
  template: string,
  parameters: JsonObject,
): Promise<void> {
  const wrong = wrongOf(await threads.run(tenantId, { template, parameters }));
  if (wrong !== null) throw invalidCommand(wrong);
}

function wrongOf(done: ThreadOutcome<CommandAnswer>): string | null {
  if (done.outcome === "answered" && "wrong" in done.answer) return done.answer.wrong;
  if (done.outcome !== "unavailable") return `can't be read: ${TOO_MUCH}`;
  throw new Fault("service.unavailable", { detail: BUSY, internal: "no thread for reading a command" });
}
