import type { Approval } from "@bulkhead/client";
import type { Cli, Define } from "../cli.ts";
import { STATUS_FORMATS } from "../executions/shown-events.ts";
import { usageFault } from "../faults/cli-fault.ts";
import { listOptions, noteListEnd, pageLimit, takeItems, type ListOptions } from "../input/lists.ts";
import { shownAgo } from "../input/times.ts";
import { objectFrom } from "../input/tool-arguments.ts";
import { confirmOrFail } from "../terminal/ask.ts";
import { harmlessJson, harmlessLine } from "@bulkhead/core/harmless";

interface AllowOptions {
  always?: true;
  argument?: string;
  pattern?: string;
  arguments?: string;
  yes?: true;
}

export const defineApprovals: Define = (command, act) => {
  listOptions(
    command.command("list", { isDefault: true }).summary("the calls that wait for a person"),
  ).action(act((cli, options: ListOptions) => listApprovals(cli, options)));
  command
    .command("show <id>")
    .summary("who asks for what, and how it was answered")
    .action(act((cli, id: string) => showApproval(cli, id)));
  command
    .command("allow <id>")
    .summary("let the call run, once or always")
    .option("--always", "allow later calls of this version of the tool, too")
    .option("--pattern <pattern>", "with --always: only calls that match; * stands for any characters")
    .option("--argument <pointer>", "with --pattern: the argument that must match, such as /command")
    .option("--arguments <json>", "run it with these arguments instead; the agent is told")
    .option("-y, --yes", "don't show the call and ask")
    .action(act((cli, id: string, options: AllowOptions) => allow(cli, id, options)));
  command
    .command("deny <id>")
    .summary("refuse the call")
    .option("--reason <text>", "why, for whoever waits, the agent included")
    .action(act((cli, id: string, options: { reason?: string }) => deny(cli, id, options)));
};

async function listApprovals(cli: Cli, options: ListOptions): Promise<void> {
  const { terminal } = cli;
  const client = await cli.client();
  let toolsWaiting = 0;
  async function* calls(): AsyncGenerator<Approval> {
    for await (const { approvals, tools } of client.approvals.list({ limit: pageLimit(options) }).pages()) {
      toolsWaiting = tools.count;
      yield* approvals;
    }
  }
  const found = await takeItems(calls(), options);
  if (terminal.json) return terminal.value({ approvals: found.items });
  const now = new Date();
  if (found.items.length > 0)
    terminal.table(
      [
        { title: "id" },
        { title: "tool", flexible: true },
        { title: "agent", flexible: true },
        { title: "asked" },
        { title: "expires" },
        { title: "arguments", flexible: true },
      ],
      found.items.map((one) => [
        one.id,
        one.toolName,
        one.agentId ?? "",
        shownAgo(one.createdAt, now),
        shownAgo(one.expiresAt, now),
        harmlessJson(one.arguments, 0),
      ]),
    );
  noteListEnd(terminal, found, "No call waits for a person.");
  if (toolsWaiting > 0)
    terminal.next(
      `Tools wait, too (${toolsWaiting}): bulkhead tools list --status pending_approval`,
      "magenta",
    );
}

const reasonOf = (asking: Extract<Approval, { kind: "execution" }>["asking"]): string | undefined =>
  asking &&
  (asking.message === undefined
    ? "the tool's own code says so"
    : `the tool's own code failed: ${asking.message}`);

const fieldsOf = (approval: Approval): Record<string, string | undefined> => ({
  id: approval.id,
  tool:
    "toolVersion" in approval && approval.toolId !== null
      ? `${approval.toolName}, version ${approval.toolVersion}`
      : approval.toolName,
  execution: "executionId" in approval ? approval.executionId : undefined,
  agent: approval.agentId,
  "asked by": `key ${approval.requestedBy}`,
  asked: approval.createdAt,
  because: "asking" in approval ? reasonOf(approval.asking) : undefined,
  "denied by itself": approval.status === "waiting" ? approval.expiresAt : undefined,
  status: approval.status,
  answer:
    approval.answer === undefined ? undefined : `${approval.answer} by ${approval.answeredBy ?? "nobody"}`,
  reason: approval.reason,
  context: Object.keys(approval.context).length === 0 ? undefined : harmlessJson(approval.context),
  callback: "callback" in approval ? approval.callback?.url : undefined,
  arguments: harmlessJson(approval.arguments),
});

async function showApproval(cli: Cli, id: string): Promise<void> {
  const approval = await (await cli.client()).approvals.get(id);
  if (cli.terminal.json) return cli.terminal.value(approval);
  cli.terminal.fields(fieldsOf(approval));
}

/** A person sees the very arguments before they say yes; a script that names the call has decided. */
async function allow(cli: Cli, id: string, options: AllowOptions): Promise<void> {
  const { terminal } = cli;
  const { always, argument, pattern, arguments: changed, yes } = options;
  if (!always && (argument !== undefined || pattern !== undefined))
    throw usageFault("--argument and --pattern go with --always.");
  if (always && changed !== undefined)
    throw usageFault("--arguments change one call, and --always allows later ones.", "Say one of them.");
  const body = changed === undefined ? {} : { arguments: { ...objectFrom(changed, "--arguments") } };
  const client = await cli.client();
  if (terminal.interactive && !yes) {
    terminal.fields(fieldsOf(await client.approvals.get(id)));
    await confirmOrFail(terminal, always ? "Allow it, and later calls?" : "Allow it once?", false);
  }
  const approval = always
    ? await client.approvals.allowAlways(id, { ...(argument === undefined ? {} : { argument }), pattern })
    : await client.approvals.allowOnce(id, body);
  tellAnswer(cli, approval);
}

async function deny(cli: Cli, id: string, { reason }: { reason?: string }): Promise<void> {
  tellAnswer(cli, await (await cli.client()).approvals.deny(id, { reason }));
}

function tellAnswer({ terminal }: Cli, approval: Approval): void {
  if (terminal.json) return terminal.value(approval);
  terminal.line(
    `✓ ${harmlessLine(approval.toolName)}: ${approval.status}.`,
    STATUS_FORMATS[approval.status] ?? "green",
  );
  if ("executionId" in approval && approval.status === "allowed")
    terminal.next(`Follow it: bulkhead logs -f ${approval.executionId}`, "dim");
}
