import {
  definitionMark,
  hintsOf,
  shownName,
  toldDescription,
  type DefinedTool,
  type ToolCatalogue,
} from "@bulkhead/core";
import { needsConfirmation, type Policy } from "./confirmation.ts";
import { wordingOf, type Definition, type DefinitionFormat, type Wording } from "./formats.ts";

/** Descriptions and schemas that the definitions of one tenant hold together; older tools are left out and counted. */
const TENANT_BYTES_MAX = 32 * 1024 * 1024;
/** More changed tools than this are read quicker with all the others. */
const CHANGED_MAX = 500;

export interface NamedWording extends Wording<string> {
  name: string;
  alias: string | null;
  mcp: DefinedTool["mcp"];
}

/** A tenant's active tools in the words of one format, newest first, each by its mark. */
export interface WordedTools {
  tools: ReadonlyMap<string, NamedWording>;
  /** Bytes of descriptions and schemas: an upper bound for `tools`, since replaced ones count until all are read again. */
  bytes: number;
  /** Tools that are left out because all together are too large. */
  omitted: number;
}

export interface WordToolsRequest {
  tenantId: string;
  /** The agent that sees them; null: every agent. */
  agentId: string | null;
  format: DefinitionFormat;
  strict: boolean;
  /** The settings that decide whether a person has to confirm a call. */
  policy: Policy;
  /** As `definitionMarks` answered them, or those of a part of the tools. */
  marks: string;
  /** Whether they are of a part. */
  isPart: boolean;
}

type Catalogue = Pick<ToolCatalogue, "definitions">;

/**
 * Writes a tenant's tools. Unchanged tools of `before`, which has the same policy, are reused: one change among thousands
 * costs one tool.
 */
export async function wordTools(
  catalogue: Catalogue,
  asked: WordToolsRequest,
  before?: WordedTools,
): Promise<WordedTools> {
  // The catalogue decides which ones are left out, since it knows the size of each.
  const reworded = before?.omitted === 0 ? await wordChanged(catalogue, asked, before) : null;
  return reworded ?? wordAll(catalogue, asked);
}

async function wordAll(catalogue: Catalogue, asked: WordToolsRequest): Promise<WordedTools> {
  const { tools, bytes, omitted } = await catalogue.definitions(
    asked.tenantId,
    asked.agentId,
    TENANT_BYTES_MAX,
    asked.isPart ? marksIn(asked.marks).map(idOf) : undefined,
  );
  return { tools: writeDown(tools, asked), bytes, omitted };
}

/** Null where all have to be read: too many have changed, or they might not fit any more. */
async function wordChanged(
  catalogue: Catalogue,
  asked: WordToolsRequest,
  before: WordedTools,
): Promise<WordedTools | null> {
  const listed = marksIn(asked.marks);
  const changed = new Set(listed.filter((mark) => !before.tools.has(mark)).map(idOf));
  if (changed.size > CHANGED_MAX) return null;
  const { tenantId, agentId } = asked;
  const read =
    changed.size > 0 && (await catalogue.definitions(tenantId, agentId, TENANT_BYTES_MAX, [...changed]));
  const bytes = before.bytes + (read ? read.bytes : 0);
  if (bytes > TENANT_BYTES_MAX) return null;
  // By id: a tool that changed again since the listing has another mark, and a deleted one is not among them.
  const fresh = new Map(
    [...writeDown(read ? read.tools : [], asked)].map((entry) => [idOf(entry[0]), entry]),
  );
  const tools = new Map<string, NamedWording>();
  for (const mark of listed) {
    const known = before.tools.get(mark);
    const entry = known ? ([mark, known] as const) : fresh.get(idOf(mark));
    if (entry) tools.set(...entry);
  }
  return { tools, bytes, omitted: 0 };
}

export const marksIn = (marks: string): string[] => (marks === "" ? [] : marks.split(","));

export const idOf = (mark: string): string => mark.slice(0, mark.lastIndexOf(":"));

function writeDown(
  tools: readonly DefinedTool[],
  { format, strict, policy }: WordToolsRequest,
): Map<string, NamedWording> {
  const word = wordingOf(format, strict);
  return new Map(
    tools.map((tool) => {
      const worded = word(definitionOf(tool, policy));
      const words = worded.strict && { words: JSON.stringify(worded.strict.words), cost: worded.strict.cost };
      const wording = {
        name: tool.name,
        alias: tool.alias,
        mcp: tool.mcp,
        plain: JSON.stringify(worded.plain),
        strict: words,
      };
      return [definitionMark(tool), wording];
    }),
  );
}

const definitionOf = (tool: DefinedTool, policy: Policy): Definition => ({
  name: shownName(tool),
  title: tool.title,
  hints: hintsOf(tool),
  description: toldDescription(tool),
  parameters: tool.parameters,
  outputSchema: tool.outputSchema,
  category: tool.category,
  requiresConfirmation: needsConfirmation(policy, tool),
});
