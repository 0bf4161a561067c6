import type { Tool } from "@bulkhead/client";
import type { Tone } from "../../design/badge.tsx";

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
