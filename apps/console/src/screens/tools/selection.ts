import type { Tool } from "@bulkhead/client";

/** The tools that a person has marked, as they were then, and the one that was marked last. */
export interface Selection {
  tools: ReadonlyMap<string, Tool>;
  last: string | null;
}

export const NOTHING: Selection = { tools: new Map(), last: null };

/** With the tool marked or not, whatever it was not; as a range, all from the last one up to it become as it does. */
export function toggled(
  { tools, last }: Selection,
  tool: Tool,
  shown: readonly Tool[],
  isRange: boolean,
): Selection {
  const at = shown.findIndex(({ id }) => id === tool.id);
  const from = isRange ? shown.findIndex(({ id }) => id === last) : -1;
  const range = from < 0 || at < 0 ? [tool] : shown.slice(Math.min(from, at), Math.max(from, at) + 1);
  const next = new Map(tools);
  const isMarked = !tools.has(tool.id);
  for (const one of range) {
    if (isMarked) next.set(one.id, one);
    else next.delete(one.id);
  }
  return { tools: next, last: tool.id };
}

/** Only those of them that stay. */
export const keeping = ({ tools }: Selection, stays: (id: string) => boolean): Selection => ({
  tools: new Map([...tools].filter(([id]) => stays(id))),
  last: null,
});
