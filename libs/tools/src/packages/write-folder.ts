import type { Tool, ToolCommand } from "@bulkhead/core";
import { withoutSource } from "../registry/tool-source.ts";
import { splitExtras } from "./package-metadata.ts";
import { APPROVAL_FILE, fileOfCode } from "./read-package.ts";
import type { ToolFolder } from "./tool-folder.ts";

/**
 * The folder of which an import makes a tool that runs alike. Status, version and usage are not in it: those are of the
 * tool that is there. That a model made it is, so that the way over a file spares no approval.
 */
export function folderOf(tool: Tool): ToolFolder {
  const { rest, files } = splitExtras(withoutSource(tool.metadata));
  return {
    "manifest.json": manifestOf(tool, rest),
    ...(tool.shell ? {} : { [fileOfCode(tool.language)]: tool.code }),
    ...(tool.approvalCode === undefined ? {} : { [APPROVAL_FILE]: tool.approvalCode }),
    ...(files.readme === undefined ? {} : { "README.md": files.readme }),
    ...(files.examples === undefined ? {} : { examples: files.examples }),
  };
}

function manifestOf(tool: Tool, metadata: Tool["metadata"]) {
  const { name, description, parameters, permissions, limits, requiredApiKeys, requiredConfigServices } =
    tool;
  return {
    name,
    ...present("alias", tool.alias),
    ...present("title", tool.title),
    ...present("annotations", tool.annotations),
    description,
    ...present("category", tool.category),
    parameters,
    ...(tool.shell ? commandOf(tool.shell) : {}),
    ...present("outputSchema", tool.outputSchema),
    permissions,
    limits,
    ...present("allowedHosts", tool.allowedHosts),
    ...(tool.idempotent ? { idempotent: true } : {}),
    ...present("applyDefaults", tool.applyDefaults),
    ...present("retry", tool.retry),
    ...present("dispatch", tool.dispatch),
    ...present("retention", tool.retention),
    ...(tool.createdBy === "llm" ? { createdBy: "llm" } : {}),
    ...present("agentId", tool.agentId),
    ...(tool.requiresApproval ? { requiresApproval: true } : {}),
    ...present("approval", tool.approval),
    ...present("metadata", metadata),
    ...(requiredApiKeys.length > 0 ? { requiredApiKeys } : {}),
    ...(requiredConfigServices.length > 0 ? { requiredConfigServices } : {}),
  };
}

/** Its time is in the limits; of its variables the names leave alone. */
const commandOf = ({ template, workingDirectory, env }: ToolCommand): object => ({
  command: template,
  ...(workingDirectory === "" ? {} : { workingDirectory }),
  ...(Object.keys(env).length === 0
    ? {}
    : { env: Object.fromEntries(Object.keys(env).map((name) => [name, null])) }),
});

const present = (field: string, value: unknown): object => (value === null ? {} : { [field]: value });
