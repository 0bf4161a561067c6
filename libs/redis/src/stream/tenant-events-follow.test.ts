import type { TenantEvent } from "@bulkhead/core";
import { expect, test } from "vitest";
import { followTenant } from "./tenant-events-follow.ts";
import type { TenantLogPage } from "./tenant-events-log.ts";

const event = (id: string): TenantEvent => ({
  id,
  at: "2026-01-02T03:04:05.678Z",
  type: "tool.created",
  data: { toolId: "tool_1", toolName: "greet", toolVersion: 1, status: "active", by: "key_1" },
  agentId: null,
});

/** The events that a follower yields for these answers of the log; each after the first comes with a message. */
async function toldOf(after: string, ...pages: TenantLogPage[]): Promise<string[]> {
  const stopping = new AbortController();
  let ring = (): void => undefined;
  const deps = {
    subscriptions: {
      subscribe: (_name: string, listener: { onMessage(text: string): void }) => {
        ring = () => listener.onMessage("");
        return { ready: Promise.resolve(), close: () => undefined };
      },
    },
    readLog: async () => {
      const page = pages.shift();
      if (!page) stopping.abort();
      else ring();
      return page ?? Promise.reject(new Error("no more pages"));
    },
    checkMs: 60_000,
    onError: () => undefined,
  };
  const told: string[] = [];
  for await (const { type, id } of followTenant(deps, "ten_1", after, stopping.signal))
    told.push(`${type} ${id}`);
  return told;
}

test("a floor ahead of the log's end is told as one gap, not for ever", async () => {
  const ahead = { floor: "9-0", last: "5-0", events: [], more: false };
  const told = await toldOf(
    "4-0",
    { ...ahead, events: [event("5-0")], end: "5-0" },
    { ...ahead, end: "9-0" },
    { ...ahead, end: "9-0" },
    { ...ahead, last: "10-0", events: [event("10-0")], end: "10-0" },
  );
  expect(told).toEqual(["events.gap 9-0", "tool.created 10-0"]);
});

test("a page without an event that this version knows is passed over", async () => {
  const log = { floor: "1-0", last: "3-0", more: false };
  const told = await toldOf(
    "1-0",
    { ...log, events: [], end: "2-0" },
    { ...log, events: [event("3-0")], end: "3-0" },
  );
  expect(told).toEqual(["tool.created 3-0"]);
});
