import { compareEventIds, type TenantEvent, type TenantEventsGap } from "@bulkhead/core";
import type { Subscriptions } from "./subscriptions.ts";
import { Bell } from "./tenant-events-bell.ts";
import { tenantChannelOf } from "./tenant-events-names.ts";
import type { TenantLogPage } from "./tenant-events-log.ts";

export interface FollowTenantDeps {
  subscriptions: Pick<Subscriptions, "subscribe">;
  /** Rejects when Redis is away. */
  readLog: (tenantId: string, after: string) => Promise<TenantLogPage>;
  checkMs: number;
  onError: (error: unknown) => void;
}

type Said = TenantEvent | TenantEventsGap;

/** Follows as `TenantEvents.follow` promises. A message is only a bell: events come from the log. */
export async function* followTenant(
  deps: FollowTenantDeps,
  tenantId: string,
  after: string,
  signal: AbortSignal,
): AsyncGenerator<Said, void, undefined> {
  if (signal.aborted) return;
  const bell = new Bell();
  const subscription = deps.subscriptions.subscribe(tenantChannelOf(tenantId), bell);
  // Runs also if the consumer has stopped pulling, and so nothing below would.
  const stop = (): void => {
    subscription.close();
    bell.ring();
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    await subscription.ready;
    let cursor = after;
    while (!signal.aborted) {
      bell.mute();
      const page = await deps.readLog(tenantId, cursor).catch(deps.onError);
      const gap = page && gapOf(page, cursor);
      if (gap) yield gap;
      else for (const event of page?.events ?? []) yield event;
      // A loss is reported as a gap; the rest is read from the log's beginning.
      if (page) cursor = gap ? gap.id : page.end;
      if (!gap && !page?.more && !signal.aborted) await bell.wait(deps.checkMs);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    subscription.close();
  }
}

/** A cursor before the log's beginning, or behind its end: that one is of a log which Redis has lost. */
function gapOf({ floor, last, events }: TenantLogPage, cursor: string): TenantEventsGap | null {
  const isInside = compareEventIds(cursor, floor) >= 0 && compareEventIds(cursor, last) <= 0;
  // Nothing after the floor is lost, wherever a log that others wrote to ends: a gap never follows a gap.
  if (isInside || cursor === floor) return null;
  return { type: "events.gap", id: floor, from: cursor, to: events[0]?.id ?? floor };
}
