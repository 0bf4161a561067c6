import type { Bulkhead, Execution, ExecutionSummary } from "@bulkhead/client";
import type { Cli, Define } from "../cli.ts";
import { STATUS_FORMATS } from "../executions/shown-events.ts";
import { usageFault } from "../faults/cli-fault.ts";
import {
  collect,
  listOptions,
  noteListEnd,
  pageLimit,
  takeItems,
  wholeNumber,
  type ListOptions,
} from "../input/lists.ts";
import { momentOf, shownAgo, shownDuration } from "../input/times.ts";
import { confirmOrFail } from "../terminal/ask.ts";
import { harmlessJson } from "@bulkhead/core/harmless";

type Query = NonNullable<Parameters<Bulkhead["executions"]["list"]>[0]>;
type ReplayFilter = NonNullable<Parameters<Bulkhead["executions"]["replayAll"]>[0]>;

interface ExecutionListOptions extends ListOptions {
  status?: string[];
  tool?: string;
  agent?: string;
  key?: string;
  source?: string;
  code?: string;
  parent?: string;
  schedule?: string;
  since?: string;
  until?: string;
  minMs?: number;
  maxMs?: number;
  logs?: string;
}

interface ReplayOptions {
  tool?: string;
  status?: string;
  code?: string;
  since?: string;
  until?: string;
  limit: number;
  yes?: true;
}

const REPLAYED_DEFAULT = 100;

export const defineExecutions: Define = (command, act) => {
  const list = command.command("list", { isDefault: true }).summary("list executions, newest first");
  listOptions(list)
    .option("--status <status>", "only with this status; may be repeated", collect)
    .option("--tool <tool>", "only of this tool")
    .option("--agent <id>", "only those made for this agent")
    .option("--key <id>", "only those that this key asked for")
    .option(
      "--source <source>",
      "only those made so: rest, batch, schedule, mcp, meta_tool, tool, replay, dry_run",
    )
    .option("--code <code>", "only those that ended with this error, such as tool.threw")
    .option("--parent <id>", "only those that this execution called")
    .option("--schedule <id>", "only those that this schedule made")
    .option("--since <moment>", "only those from then on: 2h (ago), 2026-05-01, …")
    .option("--until <moment>", "only those before then")
    .option("--min-ms <n>", "only those that took so long or longer", wholeNumber(0))
    .option("--max-ms <n>", "only those that took so long or less", wholeNumber(0))
    .option("--logs <words>", "only those whose log has these words")
    .action(act((cli, options: ExecutionListOptions) => listExecutions(cli, options)));
  command
    .command("show <id>")
    .summary("all about one execution")
    .action(act((cli, id: string) => showExecution(cli, id)));
  command
    .command("replay [id]")
    .summary("call again with the same arguments; without an id, all that the filters find")
    .option("--status <status>", "those that ended so; failed unless said")
    .option("--tool <tool>", "those of this tool")
    .option("--code <code>", "those that ended with this error")
    .option("--since <moment>", "those later than this")
    .option("--until <moment>", "those earlier than this")
    .option("-n, --limit <count>", "the newest so many", wholeNumber(1), REPLAYED_DEFAULT)
    .option("-y, --yes", "don't ask")
    .action(act((cli, id: string | undefined, options: ReplayOptions) => replay(cli, id, options)));
  command
    .command("cancel <id...>")
    .summary("cancel executions that wait or run")
    .action(act((cli, ids: string[]) => cancel(cli, ids)));
};

async function listExecutions(cli: Cli, options: ExecutionListOptions): Promise<void> {
  const { terminal } = cli;
  const { status, tool, agent, key, source, code, parent, schedule, since, until, minMs, maxMs, logs } =
    options;
  const now = new Date();
  // The server knows the words of statuses, sources and codes, and names them where another is said.
  const query = {
    status: status?.flatMap((some) => some.split(",")) as Query["status"],
    source: source as Query["source"],
    code: code as Query["code"],
    tool,
    agentId: agent,
    keyId: key,
    parentId: parent,
    scheduleId: schedule,
    from: since === undefined ? undefined : momentOf(since, "--since", now, -1),
    to: until === undefined ? undefined : momentOf(until, "--until", now, -1),
    minMs,
    maxMs,
    logs,
    limit: pageLimit(options),
  };
  const found = await takeItems((await cli.client()).executions.list(query), options);
  if (terminal.json) return terminal.value({ executions: found.items });
  if (found.items.length > 0)
    terminal.table(
      COLUMNS,
      found.items.map((one) => rowOf(one, now)),
    );
  noteListEnd(terminal, found, "There are no such executions.");
}

const COLUMNS = [
  { title: "id" },
  { title: "tool", flexible: true },
  { title: "status" },
  { title: "source" },
  { title: "accepted" },
  { title: "took", align: "right" },
  { title: "error", flexible: true },
] as const;

const rowOf = (
  { id, toolName, status, source, createdAt, durationMs, error }: ExecutionSummary,
  now: Date,
) => [
  id,
  toolName,
  { text: status, format: STATUS_FORMATS[status] },
  source,
  shownAgo(createdAt, now),
  shownDuration(durationMs),
  error === undefined ? "" : `${error.code}: ${error.message}`,
];

async function showExecution(cli: Cli, id: string): Promise<void> {
  const execution = await (await cli.client()).executions.get(id);
  if (cli.terminal.json) return cli.terminal.value(execution);
  cli.terminal.fields(fieldsOf(cli, execution));
}

function fieldsOf({ terminal }: Cli, execution: Execution): Record<string, string | undefined> {
  const { approval, error, usage, erased, context } = execution;
  const { cpuMs, memoryPeakMib, networkRequests } = usage;
  return {
    id: execution.id,
    tool: `${execution.toolName}, version ${execution.toolVersion}`,
    status: execution.status,
    error: error === undefined ? undefined : `${error.code}: ${error.message}`,
    approval:
      approval === undefined
        ? undefined
        : approval.answer === undefined
          ? terminal.asCalled(
              `waits for a person until ${approval.expiresAt}: bulkhead approvals show ${approval.approvalId}`,
            )
          : `${approval.answer} by ${approval.answeredBy ?? "nobody"}${approval.reason === undefined ? "" : `: ${approval.reason}`}`,
    source: `${execution.source}, key ${execution.keyId}${execution.client === undefined ? "" : `, ${execution.client}`}`,
    "called by": execution.parentId,
    "replay of": execution.replayOf,
    schedule: execution.scheduleId,
    accepted: execution.createdAt,
    started: execution.startedAt,
    ended: execution.finishedAt,
    took: shownDuration(execution.durationMs),
    attempts: String(execution.attempts),
    used: `${shownDuration(cpuMs)} processor, ${memoryPeakMib} MiB, ${networkRequests} requests`,
    context: Object.keys(context).length === 0 ? undefined : harmlessJson(context),
    erased: erased === undefined ? undefined : harmlessJson(erased, 0),
    trace: execution.traceId,
    arguments: harmlessJson(execution.arguments),
    result: harmlessJson(execution.result),
  };
}

async function replay(cli: Cli, id: string | undefined, options: ReplayOptions): Promise<void> {
  const { terminal } = cli;
  const client = await cli.client();
  if (id !== undefined) {
    const { tool, status, code, since, until } = options;
    if (tool ?? status ?? code ?? since ?? until)
      throw usageFault("Filters and an id are said at once.", "Say which executions by one or the other.");
    const accepted = await client.executions.replay(id);
    if (terminal.json) return terminal.value(accepted);
    terminal.line(accepted.executionId);
    return terminal.next(`Follow it: bulkhead logs -f ${accepted.executionId}`, "dim");
  }
  const filter = filterOf(options);
  const question = `Call again the newest ${options.limit} ${filter.status ?? "failed"} executions that match?`;
  await confirmOrFail(terminal, question, Boolean(options.yes));
  const { executions } = await terminal.during("Calling again…", () => client.executions.replayAll(filter));
  if (terminal.json) return terminal.value({ executions });
  for (const one of executions)
    if ("executionId" in one) terminal.line(one.executionId);
    else terminal.warn(`✗ ${one.replayOf}: ${one.error.detail}`, "red");
  terminal.note(
    `${executions.filter((one) => "executionId" in one).length} of ${executions.length} are called again.`,
  );
}

function filterOf({ tool, status, code, since, until, limit }: ReplayOptions): ReplayFilter {
  const now = new Date();
  return {
    status: status as ReplayFilter["status"],
    code: code as ReplayFilter["code"],
    tool,
    createdAfter: since === undefined ? undefined : momentOf(since, "--since", now, -1),
    createdBefore: until === undefined ? undefined : momentOf(until, "--until", now, -1),
    limit,
  };
}

async function cancel(cli: Cli, ids: readonly string[]): Promise<void> {
  const client = await cli.client();
  const ended: Execution[] = [];
  for (const id of ids) {
    const execution = await client.executions.cancel(id);
    ended.push(execution);
    if (!cli.terminal.json) cli.terminal.line(`✓ ${id} is ${execution.status}.`);
  }
  if (cli.terminal.json) cli.terminal.value({ executions: ended });
}
