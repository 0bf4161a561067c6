import type { Tool } from "@bulkhead/client";
import type { ReactNode } from "react";
import { CodeBlock } from "../../design/code-block.tsx";
import { Facts, Part } from "../../design/part.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { count } from "../../format/numbers.ts";
import { Hosts, Permissions, Services } from "./reach.tsx";
import { SchemaTree } from "./schema-tree.tsx";
import { limitFacts, rateFacts, retentionFacts } from "./tool-facts.ts";

/** What a tool is: its facts, what it takes and gives, what it may do. */
export const Details = ({ tool }: { tool: Tool }) => (
  <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
    <div className="flex min-w-0 flex-col gap-6">
      {tool.warnings !== undefined && <Warnings warnings={tool.warnings} />}
      <Part title="Parameters">
        <SchemaTree schema={tool.parameters} />
      </Part>
      {tool.outputSchema !== undefined && (
        <Part title="Result">
          <SchemaTree schema={tool.outputSchema} />
        </Part>
      )}
      <Part title="Permissions">
        <Permissions permissions={tool.permissions} />
      </Part>
      <Part title="Hosts that it may reach">
        <Hosts tool={tool} />
      </Part>
      <Part title="Services that it needs">
        <Services tool={tool} />
      </Part>
      {tool.approvalCode !== undefined && (
        <Part title="Code that decides whether a person is asked">
          <CodeBlock text={tool.approvalCode} label={`Approval code of ${tool.name}`} />
        </Part>
      )}
    </div>
    <div className="flex min-w-0 flex-col gap-6">
      <Part title="Facts">
        <ToolFacts tool={tool} />
      </Part>
      <Part title="Limits of one run">
        <Facts facts={limitFacts(tool.limits)} />
      </Part>
      <Part title="Rates and tries">
        <Facts facts={rateFacts(tool)} />
      </Part>
      <Part title="Kept after a run">
        <Facts facts={retentionFacts(tool)} />
      </Part>
    </div>
  </div>
);

const Warnings = ({ warnings }: { warnings: readonly string[] }) => (
  <ul aria-label="Warnings" className="rounded-md bg-warn-soft px-3 py-2 text-sm">
    {warnings.map((warning) => (
      <li key={warning}>
        <Words text={warning} />
      </li>
    ))}
  </ul>
);

const APPROVALS = {
  preApproved: "run without asking",
  ask: "ask a person first",
  blocked: "are refused",
} as const;

function ToolFacts({ tool }: { tool: Tool }) {
  const { approval, requiresApproval, mcp } = tool;
  const asked = requiresApproval ? APPROVALS.ask : "as the tenant's settings say";
  const facts: [name: string, value: ReactNode][] = [
    ["Version", tool.version],
    ["Executions so far", count(tool.usageCount)],
    ["Last used", tool.lastUsedAt === undefined ? "never" : <When at={tool.lastUsedAt} />],
    ["Changed", <When at={tool.updatedAt} />],
    ["Created", <When at={tool.createdAt} />],
    ["Language", languageOf(tool)],
    ["Category", tool.category === undefined ? "none" : <Words text={tool.category} />],
    ["Owner", tool.agentId === undefined ? "the tenant" : <Words text={`agent ${tool.agentId}`} />],
    ["Agents' calls", approval === undefined ? asked : APPROVALS[approval]],
  ];
  if (tool.command !== undefined) facts.push(["Runs in", tool.workingDirectory ?? "the workspace's root"]);
  if (tool.env !== undefined) facts.push(["Variables", <Words text={Object.keys(tool.env).join(", ")} />]);
  if (tool.alias !== undefined) facts.push(["Models call it", <Words text={tool.alias} />]);
  if (mcp !== undefined) facts.push(["Of the MCP server", <Words text={`${mcp.server}, ${mcp.tool}`} />]);
  facts.push(["Id", <span className="font-mono text-xs break-all">{tool.id}</span>]);
  return <Facts facts={facts} />;
}

function languageOf({ command, language }: Tool): string {
  if (command !== undefined) return "a command of the shell";
  return language === "typescript" ? "TypeScript" : "JavaScript";
}
