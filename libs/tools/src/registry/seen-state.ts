import { type Tool, Fault } from "@bulkhead/core";

/** The tags of the states in one of which the caller wants the tool to be; null: in whichever. */
export type SeenAs = readonly string[] | null;

/** Names the state of a tool: another after every change of anything but the counts of its usage. */
export const stateTag = ({ id, revision }: Pick<Tool, "id" | "revision">): string => `${id}.${revision}`;

/** Throws `tool.precondition_failed` where the tool is in none of the states. */
export function requireSeen(tool: Tool, seen: SeenAs): void {
  if (seen !== null && !seen.includes(stateTag(tool))) throw notAsSeen();
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
