import type { BuiltInTool, Tool } from "@bulkhead/client";
import { Option } from "commander";
import type { Cli, Define } from "../cli.ts";
import { STATUS_FORMATS } from "../executions/shown-events.ts";
import { findTool } from "../input/find-tool.ts";
import { listOptions, noteListEnd, pageLimit, takeItems, type ListOptions } from "../input/lists.ts";
import { shownAgo, shownDuration } from "../input/times.ts";
import { confirmOrFail } from "../terminal/ask.ts";
import { harmlessJson, harmlessLine } from "@bulkhead/core/harmless";

const STATUSES = ["active", "disabled", "pending_approval", "rejected"] as const;

interface ToolListOptions extends ListOptions {
  status?: Tool["status"];
  search?: string;
  category?: string;
  agent?: string;
}

export const defineTools: Define = (command, act) => {
  const list = listOptions(command.command("list", { isDefault: true }).summary("list tools, newest first"))
    .addOption(new Option("--status <status>", "only with this status").choices(STATUSES))
    .option("--search <words>", "only with these words in name, description or category")
    .option("--category <category>", "only of this category")
    .option("--agent <id>", "this agent's own tools");
  list.action(act((cli, options: ToolListOptions) => listTools(cli, options)));
  command
    .command("show <tool>")
    .summary("all about one tool")
    .option("--code", "its code alone, as it was written")
    .action(act((cli, tool: string, options: { code?: true }) => showTool(cli, tool, options)));
  command
    .command("built-in")
    .summary("the tools that come with the platform, and whether they work here")
    .action(act((cli) => listBuiltIns(cli)));
  command
    .command("enable <tool>")
    .summary("let it be called again")
    .action(act((cli, tool: string) => switchTool(cli, tool, "enable")));
  command
    .command("disable <tool>")
    .summary("refuse its calls")
    .action(act((cli, tool: string) => switchTool(cli, tool, "disable")));
  command
    .command("delete <tool>")
    .alias("rm")
    .summary("delete it with its versions")
    .option("-y, --yes", "don't ask")
    .action(act((cli, tool: string, options: { yes?: true }) => deleteTool(cli, tool, options)));
};

async function listTools(cli: Cli, options: ToolListOptions): Promise<void> {
  const { terminal } = cli;
  const { status, search, category, agent } = options;
  const client = await cli.client();
  const found = await takeItems(
    client.tools.list({ status, search, category, agentId: agent, limit: pageLimit(options) }),
    options,
  );
  if (terminal.json) return terminal.value({ tools: found.items });
  const now = new Date();
  if (found.items.length > 0)
    terminal.table(
      [
        { title: "name" },
        { title: "status" },
        { title: "version", align: "right" },
        { title: "uses", align: "right" },
        { title: "last used" },
        { title: "description", flexible: true },
      ],
      found.items.map((tool) => [
        tool.name,
        {
          text: tool.pendingVersion ? `${tool.status}, v${tool.pendingVersion} waits` : tool.status,
          format: STATUS_FORMATS[tool.status],
        },
        String(tool.version),
        String(tool.usageCount),
        shownAgo(tool.lastUsedAt, now),
        tool.description,
      ]),
    );
  noteListEnd(terminal, found, "There are no such tools.");
}

async function showTool(cli: Cli, name: string, { code }: { code?: true }): Promise<void> {
  const { terminal } = cli;
  const found = await findTool(await cli.client(), name);
  if (found.isBuiltIn) return showBuiltIn(cli, found.tool);
  const { tool } = found;
  const text = tool.command ?? tool.code;
  if (code) return terminal.json ? terminal.value(text) : terminal.text(text);
  if (terminal.json) return terminal.value(tool);
  const { limits } = tool;
  terminal.fields({
    name: tool.name,
    alias: tool.alias,
    id: tool.id,
    status: tool.statusReason === undefined ? tool.status : `${tool.status}: ${tool.statusReason}`,
    version: `${tool.version}${tool.pendingVersion ? `; ${tool.pendingVersion} waits for a person` : ""}`,
    "written by": tool.createdBy === "llm" ? "a model" : "a person",
    agent: tool.agentId,
    description: tool.description,
    language: tool.command === undefined ? tool.language : undefined,
    command: tool.command,
    "runs in": tool.workingDirectory,
    variables: tool.env && Object.keys(tool.env).join(", "),
    permissions: tool.permissions.join(", "),
    hosts: tool.allowedHosts?.join(", "),
    approval: tool.approval ?? (tool.approvalCode === undefined ? undefined : "its own code decides"),
    services: tool.services.join(", "),
    "to be filled in": tool.unconfiguredServices
      .map((service) => terminal.asCalled(`${service} (bulkhead secrets set ${service})`))
      .join(", "),
    limits: `${shownDuration(limits.cpuMs)} processor, ${shownDuration(limits.wallMs)} in all, ${limits.memoryMib} MiB`,
    used: `${tool.usageCount} times${tool.lastUsedAt === undefined ? "" : `, last ${tool.lastUsedAt}`}`,
    "content hash": tool.contentHash,
    parameters: harmlessJson(tool.parameters),
    output: tool.outputSchema === undefined ? undefined : harmlessJson(tool.outputSchema),
    warnings: tool.warnings?.join("\n"),
  });
}

function showBuiltIn({ terminal }: Cli, tool: BuiltInTool): void {
  if (terminal.json) return terminal.value(tool);
  terminal.fields({
    name: tool.name,
    title: tool.title,
    group: tool.group,
    "written by": "it comes with the platform",
    "works here": worksHere(tool),
    "needs of a tool that calls it": tool.permission ?? undefined,
    description: tool.description,
    parameters: harmlessJson(tool.parameters),
  });
}

const worksHere = ({ engine }: BuiltInTool): string => (engine.available ? "yes" : `no: ${engine.missing}`);

async function listBuiltIns(cli: Cli): Promise<void> {
  const { terminal } = cli;
  const tools: BuiltInTool[] = [];
  for await (const tool of (await cli.client()).tools.builtIn()) tools.push(tool);
  if (terminal.json) return terminal.value({ tools });
  terminal.table(
    [{ title: "name" }, { title: "group" }, { title: "permission" }, { title: "works here", flexible: true }],
    tools.map((tool) => [tool.name, tool.group, tool.permission ?? "", worksHere(tool)]),
  );
}

async function switchTool(cli: Cli, name: string, to: "enable" | "disable"): Promise<void> {
  const tool = await (await cli.client()).tools[to](name);
  if (cli.terminal.json) return cli.terminal.value(tool);
  cli.terminal.line(`✓ ${tool.name} is ${tool.status}.`);
}

async function deleteTool(cli: Cli, name: string, { yes }: { yes?: true }): Promise<void> {
  const { terminal } = cli;
  const client = await cli.client();
  const tool = await client.tools.get(name);
  const question = `Delete ${harmlessLine(tool.name)} (${tool.id}, used ${tool.usageCount} times) with all its versions?`;
  await confirmOrFail(terminal, question, Boolean(yes));
  const deleted = await client.tools.delete(tool.id);
  if (terminal.json) return terminal.value(deleted);
  const paused = deleted.schedulesPaused ?? 0;
  terminal.line(
    `✓ Deleted ${tool.name}.${paused > 0 ? ` ${paused} schedules that called it are paused.` : ""}`,
  );
}
