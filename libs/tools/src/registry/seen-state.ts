import { type Tool, Fault } from "@bulkhead/core";

/** The tags of the states in one of which the caller wants the tool to be; null: in whichever. */
export type SeenAs = readonly string[] | null;

/** Names the state of a tool: another after every change of anything but the counts of its usage. */
export const stateTag = ({ id, revision }: Pick<Tool, "id" | "revision">): string => `${id}.${revision}`;

/** Whether the tag is of the state that the tool is in: its ETags begin with the state, then say what else was shown. */
export const isOfState = (tag: string, tool: Pick<Tool, "id" | "revision">): boolean =>
  `${tag}.`.startsWith(`${stateTag(tool)}.`);

/** Throws `tool.precondition_failed` where the tool is in none of the states. */
export function requireSeen(tool: Tool, seen: SeenAs): void {
  if (seen !== null && !seen.some((tag) => isOfState(tag, tool))) throw notAsSeen();
}

/** The fault of a change that lost against another one; `changeTool` repeats it for callers that named no state. */
export const changedMeanwhile = (seen: SeenAs): Fault =>
  seen === null
    ? new Fault("tool.changed", {
        detail: "Somebody else changed or deleted the tool; read it again and repeat.",
      })
    : notAsSeen();

const notAsSeen = () =>
  new Fault("tool.precondition_failed", {
    detail: "The tool was changed since the state that If-Match names; read it again, then decide anew.",
  });
