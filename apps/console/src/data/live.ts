import type { TenantEvent } from "@bulkhead/client";
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { isLoggedOut, api } from "./api.ts";
import { sessionEnded, useMe } from "./session.ts";

/** Whether news come as they happen. */
export type LiveState = "connecting" | "live" | "reconnecting";

let state: LiveState = "connecting";
const listeners = new Set<() => void>();

function become(next: LiveState): void {
  if (state === next) return;
  state = next;
  for (const listener of listeners) listener();
}

/** The lists that an event of this kind changes, by the first words of their query keys. */
const CHANGED: readonly [prefix: string, keys: readonly string[]][] = [
  ["tool.", ["tools"]],
  ["approval.", ["approvals"]],
  ["execution.", ["executions"]],
  ["mcp.", ["mcp"]],
];

/** So many events in a row are one look at the lists; milliseconds. */
const GATHER_MS = 250;
const AGAIN_MS = 2_000;
const TYPES = [
  "tool.created",
  "tool.updated",
  "tool.enabled",
  "tool.disabled",
  "tool.approved",
  "tool.rejected",
  "tool.deleted",
  "tool.version_proposed",
  "tool.version_approved",
  "tool.version_rejected",
  "tool.quarantined",
  "approval.requested",
  "approval.answered",
  "mcp.access_requested",
  "mcp.access_answered",
] as const;

const hearers = new Set<(news: TenantEvent) => void>();

/** Hears each event as it comes, until what it gives is called. */
export function onNews(hear: (news: TenantEvent) => void): () => void {
  hearers.add(hear);
  return () => hearers.delete(hear);
}

/** Keeps the lists true by the tenant's events, for as long as the page is open. Whoever has no tenant has no events. */
export function useLive(): void {
  const client = useQueryClient();
  const hasTenant = useMe().tenant !== null;
  useEffect(() => {
    if (!hasTenant) return;
    const ending = new AbortController();
    void listen(client, ending.signal);
    return () => ending.abort();
  }, [client, hasTenant]);
}

async function listen(client: QueryClient, signal: AbortSignal): Promise<void> {
  const changed = gather((keys) => {
    for (const key of keys) void client.invalidateQueries({ queryKey: [key] });
  }, signal);
  while (!signal.aborted) {
    try {
      const options = { signal, onResponse: () => become("live") };
      for await (const news of api.events({ types: [...TYPES] }, options)) {
        become("live");
        const { event } = news;
        for (const hear of hearers) hear(news);
        const keys = event.endsWith(".gap")
          ? CHANGED.flatMap(([, all]) => all)
          : (CHANGED.find(([prefix]) => event.startsWith(prefix))?.[1] ?? []);
        for (const key of keys) changed(key);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isLoggedOut(error)) return sessionEnded();
    }
    become("reconnecting");
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    // Whatever happened meanwhile is looked at once.
    for (const [, keys] of CHANGED) for (const key of keys) changed(key);
  }
}

function gather(tell: (keys: ReadonlySet<string>) => void, signal: AbortSignal): (key: string) => void {
  let waiting = new Set<string>();
  return (key) => {
    waiting.add(key);
    if (waiting.size > 1) return;
    setTimeout(() => {
      const keys = waiting;
      waiting = new Set();
      if (!signal.aborted) tell(keys);
    }, GATHER_MS);
  };
}

export const useLiveState = (): LiveState =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
