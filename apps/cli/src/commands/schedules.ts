import type { Bulkhead, Schedule } from "@bulkhead/client";
import { Option } from "commander";
import type { Cli, Define } from "../cli.ts";
import { STATUS_FORMATS } from "../executions/shown-events.ts";
import { usageFault } from "../faults/cli-fault.ts";
import { collect, listOptions, noteListEnd, pageLimit, takeItems, type ListOptions } from "../input/lists.ts";
import { durationMs, shownAgo, shownDuration } from "../input/times.ts";
import { readArguments } from "../input/tool-arguments.ts";
import { confirmOrFail } from "../terminal/ask.ts";
import { harmlessJson, harmlessLine } from "@bulkhead/core/harmless";

type CreateBody = Parameters<Bulkhead["schedules"]["create"]>[0];

interface CreateOptions {
  cron?: string;
  every?: string;
  timeZone?: string;
  name?: string;
  arg?: string[];
  argsFile?: string;
  timeout?: string;
  agent?: string;
  missed?: CreateBody["missedRuns"];
  overlap?: CreateBody["overlap"];
}

export const defineSchedules: Define = (command, act) => {
  listOptions(command.command("list", { isDefault: true }).summary("list schedules, newest first")).action(
    act((cli, options: ListOptions) => listSchedules(cli, options)),
  );
  command
    .command("show <id>")
    .summary("all about one schedule, with its next runs")
    .action(act((cli, id: string) => showSchedule(cli, id)));
  command
    .command("create <tool> [arguments]")
    .summary("run a tool at times; arguments as for bulkhead run")
    .option("--cron <expression>", "such as '0 9 * * 1-5'")
    .option("--time-zone <name>", "of the expression, such as Europe/Zurich; UTC unless said")
    .option("--every <duration>", "in place of --cron, such as 15m")
    .option("--name <name>", "a name for people")
    .option("-a, --arg <name=value>", "one argument; may be repeated", collect)
    .option("--args-file <file>", "a file with a JSON object, or - for stdin")
    .option("--timeout <duration>", "the most that each run may take, waiting included")
    .option("--agent <id>", "on behalf of this agent")
    .addOption(new Option("--missed <what>", "with runs that were missed").choices(["skip", "once"]))
    .addOption(
      new Option("--overlap <what>", "while an earlier run goes on").choices([
        "allow",
        "skip",
        "queue_one",
        "cancel_previous",
      ]),
    )
    .action(
      act((cli, tool: string, json: string | undefined, options: CreateOptions) =>
        create(cli, tool, json, options),
      ),
    );
  command
    .command("pause <id>")
    .summary("plan no more runs")
    .action(act((cli, id: string) => switchSchedule(cli, id, "pause")));
  command
    .command("resume <id>")
    .summary("plan runs again")
    .action(act((cli, id: string) => switchSchedule(cli, id, "resume")));
  command
    .command("run <id>")
    .summary("run it now, beside its plan")
    .action(act((cli, id: string) => runNow(cli, id)));
  command
    .command("rm <id>")
    .alias("delete")
    .summary("delete a schedule")
    .option("-y, --yes", "don't ask")
    .action(act((cli, id: string, options: { yes?: true }) => remove(cli, id, options)));
};

const planOf = ({ cron, timeZone, everyMs }: Schedule): string =>
  cron === undefined
    ? `every ${shownDuration(everyMs)}`
    : `${cron}${timeZone === undefined ? "" : ` ${timeZone}`}`;

async function listSchedules(cli: Cli, options: ListOptions): Promise<void> {
  const { terminal } = cli;
  const found = await takeItems((await cli.client()).schedules.list({ limit: pageLimit(options) }), options);
  if (terminal.json) return terminal.value({ schedules: found.items });
  const now = new Date();
  if (found.items.length > 0)
    terminal.table(
      [
        { title: "id" },
        { title: "name", flexible: true },
        { title: "tool", flexible: true },
        { title: "plan" },
        { title: "status" },
        { title: "next" },
        { title: "last" },
        { title: "fault", flexible: true },
      ],
      found.items.map((one) => [
        one.id,
        one.name ?? "",
        one.toolName,
        planOf(one),
        { text: one.status, format: STATUS_FORMATS[one.status] },
        shownAgo(one.nextRuns[0], now),
        shownAgo(one.lastRunAt, now),
        one.statusReason ?? one.lastError?.message ?? "",
      ]),
    );
  noteListEnd(terminal, found, "There are no schedules.");
}

async function showSchedule(cli: Cli, id: string): Promise<void> {
  tellSchedule(cli, await (await cli.client()).schedules.get(id));
}

function tellSchedule({ terminal }: Cli, schedule: Schedule): void {
  if (terminal.json) return terminal.value(schedule);
  const { lastError, statusReason } = schedule;
  terminal.fields({
    id: schedule.id,
    name: schedule.name,
    tool: schedule.toolName,
    "made by": schedule.madeByToolName && `the tool ${schedule.madeByToolName}`,
    plan: planOf(schedule),
    status: statusReason === undefined ? schedule.status : `${schedule.status}: ${statusReason}`,
    next: schedule.nextRuns.join("\n"),
    last: schedule.lastRunAt,
    "last execution": schedule.lastExecutionId,
    "last fault":
      lastError === undefined ? undefined : `${lastError.at}: ${lastError.code}: ${lastError.message}`,
    "missed runs": schedule.missedRuns,
    overlap: schedule.overlap,
    skipped:
      schedule.skippedRuns === 0
        ? undefined
        : `${schedule.skippedRuns}, last ${schedule.lastSkippedAt ?? ""}`,
    timeout: shownDuration(schedule.timeoutMs),
    arguments: harmlessJson(schedule.arguments),
  });
}

async function create(
  cli: Cli,
  tool: string,
  json: string | undefined,
  options: CreateOptions,
): Promise<void> {
  const { cron, every, timeZone, name, timeout, agent, missed, overlap } = options;
  if ((cron === undefined) === (every === undefined))
    throw usageFault(
      "A schedule needs one of --cron and --every.",
      "Say --cron '0 9 * * 1-5' or --every 15m.",
    );
  const client = await cli.client();
  const typed = { json, file: options.argsFile, single: options.arg };
  const body: CreateBody = {
    tool,
    name,
    cron,
    timeZone,
    everyMs: every === undefined ? undefined : durationMs(every, "--every"),
    timeoutMs: timeout === undefined ? undefined : durationMs(timeout, "--timeout"),
    missedRuns: missed,
    overlap,
    context: agent === undefined ? undefined : { agentId: agent },
    arguments: await readArguments(
      cli.terminal,
      typed,
      async () => (await client.tools.get(tool)).parameters,
    ),
  };
  tellSchedule(cli, await client.schedules.create(body));
}

async function switchSchedule(cli: Cli, id: string, to: "pause" | "resume"): Promise<void> {
  const schedule = await (await cli.client()).schedules[to](id);
  if (cli.terminal.json) return cli.terminal.value(schedule);
  const [next] = schedule.nextRuns;
  cli.terminal.line(`✓ ${id} is ${schedule.status}.${next === undefined ? "" : ` It runs next at ${next}.`}`);
}

async function runNow(cli: Cli, id: string): Promise<void> {
  const accepted = await (await cli.client()).schedules.run(id);
  if (cli.terminal.json) return cli.terminal.value(accepted);
  cli.terminal.line(accepted.executionId);
  cli.terminal.next(`Follow it: bulkhead logs -f ${accepted.executionId}`, "dim");
}

async function remove(cli: Cli, id: string, { yes }: { yes?: true }): Promise<void> {
  const client = await cli.client();
  const { name, toolName } = await client.schedules.get(id);
  const what = harmlessLine(name ?? toolName);
  await confirmOrFail(cli.terminal, `Delete the schedule ${id} (${what})?`, Boolean(yes));
  const deleted = await client.schedules.delete(id);
  if (cli.terminal.json) return cli.terminal.value(deleted);
  cli.terminal.line(`✓ Deleted ${id}.`);
}
