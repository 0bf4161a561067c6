import { harmlessJson, harmlessLine } from "@bulkhead/core/harmless";
import type { styleText } from "node:util";
import type { ExecutionEvent } from "@bulkhead/client";
import { shownDuration } from "../input/times.ts";

type Format = Parameters<typeof styleText>[0];

const LEVEL_FORMATS: Readonly<Record<string, Format | undefined>> = {
  debug: "dim",
  warn: "yellow",
  error: "red",
};

/** How a status is coloured, everywhere. */
export const STATUS_FORMATS: Readonly<Record<string, Format | undefined>> = {
  succeeded: "green",
  active: "green",
  failed: "red",
  timed_out: "red",
  lost: "red",
  denied: "yellow",
  cancelled: "yellow",
  rejected: "yellow",
  disabled: "dim",
  paused: "dim",
  awaiting_approval: "magenta",
  pending_approval: "magenta",
  waiting: "magenta",
  running: "cyan",
  queued: "dim",
};

const shownValue = (value: unknown): string => (typeof value === "string" ? value : harmlessJson(value, 0));

/**
 * An event of an execution for people, as one text of one or more lines; null where it tells nothing that they need. `asCalled`
 * puts commands as the reader calls them.
 */
export function shownEvent(
  event: ExecutionEvent,
  asCalled = (text: string): string => text,
): { text: string; format?: Format | undefined } | null {
  switch (event.event) {
    case "execution.log":
      return { text: event.data.text, format: LEVEL_FORMATS[event.data.level] };
    case "execution.progress":
      return { text: `· ${shownValue(event.data.value)}`, format: "cyan" };
    case "execution.retrying": {
      const { error, delayMs } = event.data;
      const why = error === undefined ? "" : ` after ${error.code}: ${harmlessLine(error.message)}`;
      const when = delayMs ? ` in ${shownDuration(delayMs)}` : "";
      return { text: `↻ tried again${when}${why}`, format: "yellow" };
    }
    case "execution.awaiting_approval": {
      const { approvalId, expiresAt } = event.data;
      const how = asCalled(`Allow it: bulkhead approvals allow ${approvalId} (or deny it)`);
      return { text: `⏸ A person has to allow this call, until ${expiresAt}. ${how}`, format: "magenta" };
    }
    case "execution.gap":
      return { text: "… some of what it said is not kept any more", format: "yellow" };
    default:
      return null;
  }
}
