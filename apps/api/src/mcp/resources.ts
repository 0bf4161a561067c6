import { stringifyJson } from "@bulkhead/core";
import { onlySeenBy } from "@bulkhead/core";
import { presentExecution, seeExecution } from "@bulkhead/executions";
import { Fault } from "@bulkhead/core";
import {
  ResourceNotFoundError,
  type ListResourcesResult,
  type ReadResourceResult,
} from "@modelcontextprotocol/server";
import { presentTemplate, summaryOf } from "../routes/tools/templates.ts";
import type { Asker } from "./asker.ts";
import type { McpDeps } from "./mcp-deps.ts";

const PREFIX = "bulkhead://executions/";
/** All templates, and one of them below it. */
const TEMPLATES = "bulkhead://templates";
const JSON_TYPE = "application/json";
/** Executions on one page. */
const PAGE_MAX = 50;

export const EXECUTION_TEMPLATE = {
  uriTemplate: `${PREFIX}{id}`,
  name: "execution",
  title: "An execution",
  description: "What one call of a tool did: its status, arguments, result or error, and what it used.",
  mimeType: JSON_TYPE,
};

export const TOOL_TEMPLATE = {
  uriTemplate: `${TEMPLATES}/{name}`,
  name: "template",
  title: "A tool to begin with",
  description: `A tool's record, files and examples, to copy and change; ${TEMPLATES} lists them.`,
  mimeType: JSON_TYPE,
};

/** The executions that the key sees, newest first. */
export async function listExecutions(
  { executions }: Pick<McpDeps, "executions">,
  { principal }: Asker,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const page = {
    ...onlySeenBy(principal),
    limit: PAGE_MAX,
    ...(cursor === undefined ? {} : { before: cursor }),
  };
  const { executions: found, next } = await executions.list(principal.tenantId, page);
  return {
    resources: found.map(({ executionId, toolName, status }) => ({
      uri: `${PREFIX}${executionId}`,
      name: `${toolName} ${status}`,
      mimeType: JSON_TYPE,
    })),
    ...(next === null ? {} : { nextCursor: next }),
  };
}

/** An execution or a template, as REST shows it. */
export async function readResource(
  deps: Pick<McpDeps, "executions" | "templates">,
  { principal }: Asker,
  uri: string,
): Promise<ReadResourceResult> {
  if (uri === TEMPLATES || uri.startsWith(`${TEMPLATES}/`)) return readTemplate(deps, uri);
  const executionId = uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : "";
  try {
    const execution = await seeExecution(deps, principal, { tenantId: principal.tenantId, executionId });
    return { contents: [{ uri, mimeType: JSON_TYPE, text: stringifyJson(presentExecution(execution)) }] };
  } catch (error) {
    if (error instanceof Fault && error.code === "execution.not_found") throw new ResourceNotFoundError(uri);
    throw error;
  }
}

function readTemplate({ templates }: Pick<McpDeps, "templates">, uri: string): ReadResourceResult {
  const name = uri.slice(TEMPLATES.length + 1);
  const found = templates.find((template) => template.name === name);
  if (uri !== TEMPLATES && !found) throw new ResourceNotFoundError(uri);
  const shown = found ? presentTemplate(found) : { templates: templates.map(summaryOf) };
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(shown) }] };
}
