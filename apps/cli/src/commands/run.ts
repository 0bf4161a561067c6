import { randomUUID } from "node:crypto";
import type { Bulkhead, Execution } from "@bulkhead/client";
import type { Cli, Define } from "../cli.ts";
import { followToEnd } from "../executions/follow-to-end.ts";
import { shownEvent } from "../executions/shown-events.ts";
import { tellResult } from "../executions/shown-result.ts";
import { interruptedFault } from "../faults/cli-fault.ts";
import { describeEnd } from "../faults/describe-fault.ts";
import { findTool } from "../input/find-tool.ts";
import { collect, wholeNumber } from "../input/lists.ts";
import { durationMs, shownDuration } from "../input/times.ts";
import { readArguments } from "../input/tool-arguments.ts";
import { withInterrupt } from "../terminal/interrupt.ts";

interface RunOptions {
  arg?: string[];
  argsFile?: string;
  toolVersion?: number;
  timeout?: string;
  priority?: number;
  agent?: string;
  once?: string;
  detach?: true;
}

type Call = Omit<NonNullable<Parameters<Bulkhead["tools"]["execute"]>[1]>, "mode"> & {
  arguments: Record<string, unknown>;
};

const STATUS_MS = 250;

export const defineRun: Define = (command, act) => {
  command
    .argument("<tool>", "its name, alias or id")
    .argument("[arguments]", "a JSON object, or - for stdin")
    .option("-a, --arg <name=value>", "one argument; name:=json for JSON; may be repeated", collect)
    .option("--args-file <file>", "a file with a JSON object, or - for stdin")
    .option("--timeout <duration>", "the most from acceptance to the result, such as 30s or 5m")
    .option("--tool-version <n>", "a version other than the one that serves", wholeNumber(1))
    .option("--priority <n>", "0 to 9: 9 goes first among the tenant's own", wholeNumber(0))
    .option("--agent <id>", "on behalf of this agent: its own tools before the tenant's")
    .option("--once <key>", "an Idempotency-Key: a call that is repeated with it runs once in 24 hours")
    .option("-d, --detach", "don't wait: tell the execution's id")
    .addHelpText(
      "after",
      `
Logs and progress go to stderr as they come, the result to stdout. Ctrl-C cancels the execution.

Examples:
  bulkhead run word_frequency '{"text": "to be or not to be"}'
  bulkhead run fetch_weather -a city=Bern -a days:=3
  jq . orders.json | bulkhead run import_orders - --json | jq .result`,
    )
    .action(
      act((cli, tool: string, json: string | undefined, options: RunOptions) =>
        run(cli, tool, json, options),
      ),
    );
};

async function run(cli: Cli, tool: string, json: string | undefined, options: RunOptions): Promise<void> {
  const client = await cli.client();
  const { arg, argsFile, detach, once = randomUUID() } = options;
  const typed = { json, file: argsFile, single: arg };
  const call: Call = {
    ...callOptions(options),
    arguments: await readArguments(
      cli.terminal,
      typed,
      async () => (await findTool(client, tool)).tool.parameters,
    ),
  };
  if (detach) return accept(cli, client, tool, call, once);
  await follow(cli, client, tool, call, once);
}

const callOptions = ({ timeout, toolVersion, priority, agent }: RunOptions): Omit<Call, "arguments"> => ({
  ...(timeout === undefined ? {} : { timeoutMs: durationMs(timeout, "--timeout") }),
  ...(toolVersion === undefined ? {} : { version: toolVersion }),
  ...(priority === undefined ? {} : { priority }),
  ...(agent === undefined ? {} : { context: { agentId: agent } }),
});

async function accept(
  { terminal }: Cli,
  client: Bulkhead,
  tool: string,
  call: Call,
  once: string,
): Promise<void> {
  const accepted = await client.tools.execute(tool, { ...call, mode: "async" }, { idempotencyKey: once });
  if (terminal.json) return terminal.value(accepted);
  terminal.line(accepted.executionId);
  if (accepted.status === "awaiting_approval")
    terminal.next("It waits for a person: bulkhead approvals list", "magenta");
  terminal.next(`Follow it: bulkhead logs -f ${accepted.executionId}`, "dim");
}

/** Follows the call to its end, tells what it says, and cancels it on Ctrl-C. */
async function follow(cli: Cli, client: Bulkhead, tool: string, call: Call, once: string): Promise<void> {
  const { terminal } = cli;
  const leaving = new AbortController();
  let executionId: string | undefined;
  const cancel = (): void => {
    if (executionId === undefined) return leaving.abort();
    terminal.note(`Cancelling ${executionId}… (Ctrl-C again leaves at once)`, "yellow");
    // Its end comes by the stream; one that ended meanwhile is told as it ended.
    client.executions
      .cancel(executionId)
      .catch((error: unknown) => terminal.note(`! ${String(error)}`, "yellow"));
  };
  const started = Date.now();
  const tick = (): void => terminal.status(`${tool} ${shownDuration(Date.now() - started)}`);
  const ticking = setInterval(tick, STATUS_MS);
  try {
    const { result: end, interrupted } = await withInterrupt(cancel, async () => {
      const how = { idempotencyKey: once, signal: leaving.signal };
      ({ executionId } = await client.tools.execute(tool, { ...call, mode: "async" }, how));
      return readToEnd(cli, client, executionId);
    });
    terminal.status("");
    tellEnd(cli, end, interrupted);
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
    throw interruptedFault("You stopped before the server answered; the call may have been accepted.");
  } finally {
    clearInterval(ticking);
    terminal.status("");
  }
}

function readToEnd({ terminal }: Cli, client: Bulkhead, id: string): Promise<Execution> {
  return followToEnd(client, id, (event) => {
    const shown = shownEvent(event, (text) => terminal.asCalled(text));
    // Whoever waits for a person hears of it in any case.
    const tell = event.event === "execution.awaiting_approval" ? "warn" : "note";
    if (shown !== null) terminal[tell](shown.text, shown.format);
  });
}

function tellEnd({ terminal }: Cli, execution: Execution, interrupted: boolean): void {
  if (terminal.json) terminal.value(execution);
  const { id, status, result } = execution;
  if (status === "succeeded") {
    if (!terminal.json) tellResult(terminal, result);
    return;
  }
  if (interrupted && status === "cancelled") throw interruptedFault(`Cancelled ${id}.`);
  throw describeEnd(execution);
}
