import type { FollowingChange, Tool, ToolVersion } from "@bulkhead/core";
import { followingOf } from "./offered-tool.ts";
import { isDisabledBySync, rejectedReason } from "./plan-sync.ts";

/** What a decision about a version of a server's tool changes beside it; nothing of another tool. */
export function followDecision(
  before: Tool,
  { version, pinned }: Pick<ToolVersion, "version" | "pinned">,
  to: "approved" | "rejected",
): { following?: FollowingChange } {
  if (pinned === undefined) return {};
  const isDisabled = isDisabledBySync(before);
  if (to === "approved")
    return {
      following: {
        ...followingOf(pinned),
        ...(isDisabled ? { move: { to: "active", reason: null } } : {}),
      },
    };
  return isDisabled ? { following: { move: { to: "disabled", reason: rejectedReason(version) } } } : {};
}
