import type { Ending } from "./execution.ts";
import type { OutcomeCode } from "./outcome.ts";

/** These ends are the platform's doing, whatever ran. */
const PLATFORM_CODES: readonly OutcomeCode[] = ["execution.lost", "vault.unreadable"];

/**
 * Whether the platform caused an end, and not the tool or its callers. A sandbox process serves one tenant alone, so a
 * process that died of itself, or that its worker ended for a broken rule, died of that tenant's tools, which can cause it
 * at will. A process that was ended from outside is ours, and so is one that could not be started: nothing ran then.
 */
export function endedByPlatform({
  error,
  endedBy,
  usage,
}: Pick<Ending, "error" | "endedBy" | "usage">): boolean {
  if (error === null) return false;
  if (error.code !== "sandbox.crashed") return PLATFORM_CODES.includes(error.code);
  return endedBy === null || endedBy === "system" || usage.wallMs === 0;
}
