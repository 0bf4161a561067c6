import type { Tool } from "@bulkhead/client";
import type { ReactNode } from "react";
import { Facts, Part } from "../../design/part.tsx";
import { Badge } from "../../design/badge.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { SchemaTree } from "./schema-tree.tsx";

/** What a tool is: its facts, what it takes and gives, what it may do. */
export const Details = ({ tool }: { tool: Tool }) => (
  <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
    <div className="flex min-w-0 flex-col gap-6">
      <Part title="Parameters">
        <SchemaTree schema={tool.parameters} />
      </Part>
      {tool.outputSchema !== undefined && (
        <Part title="Result">
          <SchemaTree schema={tool.outputSchema} />
        </Part>
      )}
    </div>
    <div className="flex flex-col gap-6">
      <Part title="Facts">
        <ToolFacts tool={tool} />
      </Part>
      <Part title="Permissions">
        <Chips words={tool.permissions} none="None: it computes, and reaches nothing." />
      </Part>
      <Part title="Services that it needs">
        <Chips words={tool.requiredConfigServices.map(({ name }) => name)} none="None." />
      </Part>
    </div>
  </div>
);

const Chips = ({ words, none }: { words: readonly string[]; none: string }) =>
  words.length === 0 ? (
    <p className="text-sm text-ink-3">{none}</p>
  ) : (
    <div className="flex flex-wrap gap-1.5">
      {words.map((word) => (
        <Badge key={word} tone="calm">
          <Words text={word} />
        </Badge>
      ))}
    </div>
  );

function ToolFacts({ tool }: { tool: Tool }) {
  const facts: [name: string, value: ReactNode][] = [
    ["Version", tool.version],
    ["Calls so far", tool.usageCount.toLocaleString()],
    ["Last used", tool.lastUsedAt === undefined ? "never" : <When at={tool.lastUsedAt} />],
    ["Changed", <When at={tool.updatedAt} />],
    ["Made", <When at={tool.createdAt} />],
    ["Language", tool.language === "typescript" ? "TypeScript" : "JavaScript"],
    ["Category", tool.category === undefined ? "none" : <Words text={tool.category} />],
    ["Owner", tool.agentId === undefined ? "the tenant" : <Words text={`agent ${tool.agentId}`} />],
    ["Agents' calls", tool.requiresApproval ? "a person allows each" : "as the tenant's settings say"],
  ];
  return <Facts facts={facts} />;
}
