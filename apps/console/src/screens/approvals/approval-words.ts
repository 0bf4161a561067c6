import type { Approval } from "@bulkhead/client";
import type { Tone } from "../../design/badge.tsx";

/** How a call was answered, or that it was not. */
export const STATUS_LOOKS: Readonly<Record<Approval["status"], { name: string; tone: Tone }>> = {
  waiting: { name: "Waiting", tone: "warn" },
  allowed: { name: "Allowed", tone: "good" },
  denied: { name: "Denied", tone: "bad" },
  expired: { name: "Expired", tone: "calm" },
  cancelled: { name: "Cancelled", tone: "calm" },
};

/** The same where calls are listed: also whether it was allowed for good. */
export const lookOf = ({ status, answer }: Pick<Approval, "status" | "answer">) =>
  answer === "allow_always" ? { ...STATUS_LOOKS[status], name: "Allowed always" } : STATUS_LOOKS[status];

const PREVIEW_CHARS = 160;

/** Arguments on one line, cut. */
export function previewOf(args: Record<string, unknown>): string {
  const parts: string[] = [];
  let chars = 0;
  for (const [name, value] of Object.entries(args)) {
    if (chars > PREVIEW_CHARS) break;
    const part = `${name}: ${typeof value === "string" ? value.slice(0, PREVIEW_CHARS) : JSON.stringify(value)}`;
    chars += part.length;
    parts.push(part);
  }
  const line = parts.join(", ");
  if (line === "") return "no arguments";
  return line.length > PREVIEW_CHARS ? `${line.slice(0, PREVIEW_CHARS)}…` : line;
}

/** What came of a call, in a sentence. */
export function endOf({ status, answer }: Approval): string {
  if (status === "cancelled") return "Whoever asked cancelled the call before anybody answered.";
  if (status === "expired") return "Nobody answered in time, so the call was denied.";
  if (answer === "allow_always") return "Allowed, and such calls from then on.";
  return status === "allowed" ? "Allowed once." : "Denied.";
}
