import { hasEnded, isEnd, type Bulkhead, type EndEvent, type ExecutionEvent } from "@bulkhead/client";
import type { Cli, Define } from "../cli.ts";
import { Recent } from "../executions/recent.ts";
import { shownEvent, STATUS_FORMATS } from "../executions/shown-events.ts";
import { CliFault, EXIT } from "../faults/cli-fault.ts";
import { shownDuration } from "../input/times.ts";
import { withInterrupt } from "../terminal/interrupt.ts";

interface LogsOptions {
  follow?: true;
  tool?: string;
}

/** An execution that goes on and says nothing for so long has said all that it had to say before now. */
const QUIET_MS = 1_000;
/** Executions that are followed at one time; of a further one it is told that it is not. */
const FOLLOWED_MAX = 100;
/** Executions of which it is known that they have been followed. */
const REMEMBERED_MAX = 10_000;

export const defineLogs: Define = (command, act) => {
  command
    .argument("[execution]", "its id; left out: the newest one, or with -f all from now on")
    .option("-f, --follow", "go on as more is said")
    .option("--tool <tool>", "only of this tool, by its name")
    .addHelpText("after", "\nWith --json each event is one line. Ctrl-C leaves; executions go on.")
    .action(act((cli, id: string | undefined, options: LogsOptions) => logs(cli, id, options)));
};

async function logs(cli: Cli, id: string | undefined, { follow, tool }: LogsOptions): Promise<void> {
  const client = await cli.client();
  const leaving = new AbortController();
  const { signal } = leaving;
  await withInterrupt(
    () => leaving.abort(),
    async () => {
      try {
        if (id === undefined && follow) await followAll(cli, client, tool, signal);
        else await tellOne(cli, client, id ?? (await newest(client, tool)), { follow, leaving });
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
  );
}

async function newest(client: Bulkhead, tool: string | undefined): Promise<string> {
  const { executions } = await client.executions.list({ limit: 1, tool });
  const [first] = executions;
  if (first !== undefined) return first.id;
  throw new CliFault("There is no execution yet.", {
    exit: EXIT.refused,
    code: "execution.not_found",
    next: "Run a tool: bulkhead run <tool>",
  });
}

/** All that one said. Without `follow`, of one that goes on, until it says nothing for `QUIET_MS`. */
async function tellOne(
  cli: Cli,
  client: Bulkhead,
  id: string,
  { follow, leaving }: { follow: true | undefined; leaving: AbortController },
): Promise<void> {
  const { status } = await client.executions.get(id);
  const goesOn = !hasEnded(status);
  let quiet: NodeJS.Timeout | undefined;
  let hushed = false;
  const wait = (): void => {
    clearTimeout(quiet);
    if (!goesOn || follow) return;
    quiet = setTimeout(() => {
      hushed = true;
      leaving.abort();
    }, QUIET_MS);
  };
  wait();
  try {
    for await (const event of client.executions.events(id, { signal: leaving.signal })) {
      wait();
      tellEvent(cli, event, "");
    }
  } finally {
    clearTimeout(quiet);
    if (hushed) cli.terminal.next(`It goes on: bulkhead logs -f ${id}`, "dim");
  }
}

function tellEvent({ terminal }: Cli, event: ExecutionEvent, who: string): void {
  if (terminal.json) return terminal.valueLine(event);
  const at = "at" in event.data ? `${event.data.at.slice(11, 23)}  ` : "";
  const shown = isEnd(event) ? shownEnd(event) : shownEvent(event, (text) => terminal.asCalled(text));
  if (shown === null) return;
  for (const line of shown.text.split("\n")) terminal.line(`${at}${who}${line}`, shown.format);
}

function shownEnd({ event, data: { execution } }: EndEvent) {
  const status = event.slice("execution.".length);
  const took = execution?.durationMs === undefined ? "" : ` after ${shownDuration(execution.durationMs)}`;
  const why = execution?.error === undefined ? "" : `: ${execution.error.code}: ${execution.error.message}`;
  return { text: `■ ${status}${took}${why}`, format: STATUS_FORMATS[status] };
}

/** Every execution that starts from now on, with its tool's name before each line. */
async function followAll(
  cli: Cli,
  client: Bulkhead,
  tool: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { terminal } = cli;
  terminal.note("Following all executions from now on. Ctrl-C leaves.", "dim");
  // Each attempt starts anew, and the events of all of them are one stream.
  const started = new Recent(REMEMBERED_MAX);
  let followed = 0;
  const follow = async (id: string, who: string): Promise<void> => {
    followed += 1;
    try {
      for await (const event of client.executions.events(id, { signal })) tellEvent(cli, event, who);
    } catch (error) {
      if (!signal.aborted) terminal.warn(`! ${who}can't be followed: ${(error as Error).message}`, "yellow");
    } finally {
      followed -= 1;
    }
  };
  for await (const event of client.events({ types: ["execution.started"] }, { signal })) {
    if (event.event !== "execution.started") {
      if (event.event === "execution.dropped" || event.event === "events.gap")
        terminal.warn("! Some executions started unseen: too many came at once.", "yellow");
      continue;
    }
    const { executionId, toolName } = event.data;
    if ((tool !== undefined && toolName !== tool) || !started.isNew(executionId)) continue;
    const who = `${toolName} ${executionId.slice(-6)}  `;
    if (followed < FOLLOWED_MAX) void follow(executionId, who);
    else terminal.warn(`! ${who}is not followed: ${FOLLOWED_MAX} others are.`, "yellow");
  }
}
