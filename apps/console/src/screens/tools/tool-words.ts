import type { Tool } from "@bulkhead/client";
import type { Tone } from "../../design/badge.tsx";
import type { ToolAction } from "../../data/tools.ts";

/** The colours of states, and their names for people. */
export const STATUS_LOOKS: Readonly<Record<Tool["status"], { name: string; tone: Tone }>> = {
  active: { name: "Active", tone: "good" },
  disabled: { name: "Disabled", tone: "calm" },
  pending_approval: { name: "Pending approval", tone: "warn" },
  rejected: { name: "Rejected", tone: "bad" },
};

export const CREATOR_LOOKS: Readonly<Record<Tool["createdBy"], { name: string; tone: Tone }>> = {
  llm: { name: "AI Created", tone: "ai" },
  user: { name: "User Created", tone: "info" },
};

/** What was done to tools, behind how many. */
export const DONE_WORDS = {
  enable: "enabled",
  disable: "disabled",
  approve: "approved",
  reject: "rejected",
  delete: "deleted",
} as const satisfies Record<ToolAction, string>;

export const toolsInWords = (count: number): string =>
  count === 1 ? "1 tool" : `${count.toLocaleString()} tools`;

/** Whether a person has to say yes or no to it, or to a newer version of it. */
export const waits = ({ status, pendingVersion }: Tool): boolean =>
  status === "pending_approval" || pendingVersion !== undefined;
