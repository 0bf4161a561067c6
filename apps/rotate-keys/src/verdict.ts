import type { Rotation } from "@bulkhead/tenants/vault";

/** Tells the operator the outcome and the next step. */
export function verdictOf({ unreadable, complete }: Rotation, stopped: boolean): string {
  if (complete)
    return "the new master key wraps all data keys: BULKHEAD_MASTER_KEY_OLD may go from every process";
  if (unreadable.length > 0)
    return (
      `not done: ${unreadable.length} data keys were changed and can't be unwrapped, and the texts that they sealed are lost unless a ` +
      `backup has them: ${unreadable.join(", ")}. Keep BULKHEAD_MASTER_KEY_OLD until they are put back or removed`
    );
  if (stopped) return "stopped: everything works as it is; run this again to go on";
  return (
    "not done: a process that lacks the new master key has made data keys meanwhile. Start it anew with both keys, and run " +
    "this again"
  );
}
