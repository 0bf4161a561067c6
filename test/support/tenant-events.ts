import { openSse, type SseEvent, type SseReader } from "@bulkhead/testing";
import { afterEach } from "vitest";
import type { Client } from "./client.ts";

export const TENANT_EVENTS = "/api/v1/events";

const open = new Set<SseReader>();

/** Closes what the tests of the file that calls it read, after each of them. */
export function closeWatchedEvents(): void {
  afterEach(async () => {
    await Promise.all([...open].map((reader) => reader.close()));
    open.clear();
  });
}

/** Has a reader closed after the test. */
export function closeLater(reader: SseReader): SseReader {
  open.add(reader);
  return reader;
}

/** Watches what happens in a client's tenant, from behind `lastEventId` and of these types when given. */
export async function watchEvents(
  { url, key }: Client,
  lastEventId?: string,
  types?: string,
): Promise<SseReader> {
  const resume = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
  const headers = { authorization: `Bearer ${key}`, ...resume };
  return closeLater(
    await openSse(`${url}${TENANT_EVENTS}${types === undefined ? "" : `?types=${types}`}`, { headers }),
  );
}

/** The next events, so many. Throws when the stream ends before. */
export async function takeEvents(reader: SseReader, count: number): Promise<SseEvent[]> {
  const taken: SseEvent[] = [];
  while (taken.length < count) {
    const event = await reader.next();
    if (event === null) throw new Error(`the stream ended after ${taken.length} events`);
    taken.push(event);
  }
  return taken;
}

/** The next event about approvals; about that execution's alone where one is given. */
export async function nextApprovalEvent(reader: SseReader, executionId?: string): Promise<SseEvent> {
  for (;;) {
    const event = await reader.next();
    if (event === null) throw new Error("the stream ended");
    const isMeant = executionId === undefined || event.data["executionId"] === executionId;
    if (event.event.startsWith("approval.") && isMeant) return event;
  }
}
