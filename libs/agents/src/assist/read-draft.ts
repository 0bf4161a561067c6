import {
  asRequiredServices,
  EXAMPLE_CHARS_MAX,
  ModelDraft,
  readInput,
  type ToolExample,
} from "@bulkhead/contracts";
import type { FaultDetail, JsonObject, Scrubber } from "@bulkhead/core";
import { Fault } from "@bulkhead/core";
import type { CreateToolRequest } from "@bulkhead/tools";
import { PLAIN_TOOL } from "../calls/creatable.ts";

/** A draft that has the form of a tool, with the call that shows what it does. */
export interface ToolDraft {
  request: CreateToolRequest;
  example: ToolExample;
}

export interface ReadDeps {
  /** Throws a Fault for text that is no JSON, or that nests too deep. */
  parseJson: (text: string) => unknown;
}

const NO_OBJECT = { path: "", message: "the answer must be one JSON object and nothing else" };

/** The file of a tool's folder that keeps the example of its draft. */
const EXAMPLE_FILE = "draft.json";

/** Reads what a model said, with all that looks like a secret covered; or the faults of it, for the model. */
export function readDraft(
  { parseJson }: ReadDeps,
  said: string,
  scrubber: Pick<Scrubber, "json">,
): { draft: ToolDraft } | { faults: FaultDetail[] } {
  try {
    const covered = scrubber.json(JSON.stringify(parseJson(objectIn(said))));
    const { value, faults } = readInput(ModelDraft, JSON.parse(covered));
    if (faults !== null) return { faults };
    const { example, ...tool } = value;
    if (JSON.stringify(example).length > EXAMPLE_CHARS_MAX)
      return { faults: [{ path: "example", message: `must be ${EXAMPLE_CHARS_MAX} characters at most` }] };
    return { draft: { request: requestOf(tool, example), example } };
  } catch (error) {
    if (!(error instanceof Fault) || error.status >= 500) throw error;
    return { faults: error.code === "request.malformed_json" ? [NO_OBJECT] : error.errors };
  }
}

function requestOf(
  { requiredConfigServices, ...tool }: Omit<ModelDraft, "example">,
  example: ToolExample,
): CreateToolRequest {
  const kept = { examples: { [EXAMPLE_FILE]: example as unknown as JsonObject } };
  return {
    ...PLAIN_TOOL,
    ...tool,
    title: tool.title ?? null,
    outputSchema: tool.outputSchema ?? null,
    category: tool.category ?? null,
    // What a model leaves open is closed: a person can open it.
    allowedHosts: tool.allowedHosts ?? [],
    requiredApiKeys: [],
    requiredConfigServices: asRequiredServices(requiredConfigServices),
    metadata: { package: kept },
    createdBy: "llm",
    held: true,
  };
}

/** The outermost object in a text: models put words, a fence or their thoughts around it. */
function objectIn(said: string): string {
  const answer = said.slice(said.lastIndexOf("</think>") + 1);
  const start = answer.indexOf("{");
  const end = answer.lastIndexOf("}");
  return start < 0 || end < start ? "" : answer.slice(start, end + 1);
}
