import type { Bench } from "./bench.ts";
import { type Draft, draftOfBody } from "./draft.ts";

/** What the server takes. */
export const PROMPT_CHARS_MAX = 8_000;
const PROBLEMS_MAX = 10;

/** What the model is asked: the words alone for an empty draft, else the draft and its problems with them. */
export function assistPrompt(words: string, { draft, problems }: Pick<Bench, "draft" | "problems">): string {
  if (draft.code.trim() === "") return words;
  const { name, description, parameters, permissions, code } = draft;
  const wrong = problems
    .filter(({ severity }) => severity === "error")
    .slice(0, PROBLEMS_MAX)
    .map(({ path, line, message }) => `- ${path}${line === undefined ? "" : ` line ${line}`}: ${message}`);
  return [
    words,
    "",
    "Change this tool accordingly, and keep what need not change:",
    JSON.stringify({ name, description, parameters, permissions }),
    "Its code:",
    code,
    ...(wrong.length === 0 ? [] : ["What is wrong with it so far:", ...wrong]),
  ].join("\n");
}

/** What becomes of the draft where the model's is taken: a tool that is there keeps its name and maker. */
export function draftTaken(
  { draft, isThere }: Pick<Bench, "draft" | "isThere">,
  body: Record<string, unknown>,
) {
  const { name, createdBy: _maker, agentId: _agent, ...taken } = draftOfBody(body);
  const said = Object.fromEntries(Object.entries(taken).filter(([field]) => field in body)) as Partial<Draft>;
  if (isThere) return said;
  return { ...said, name: draft.name.trim() === "" ? name : draft.name, createdBy: "llm" as const };
}
