import { BulkheadError, type TenantEvent } from "@bulkhead/client";
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { api, isLoggedOut } from "./api.ts";
import { gather } from "./gather.ts";
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
  ["tool.", ["tools", "services", "mcp", "policy"]],
  ["approval.", ["approvals"]],
  ["execution.", ["executions"]],
  ["mcp", ["mcp", "policy"]],
  ["schedule.", ["schedules"]],
  ["config_", ["services", "tools"]],
  ["policy.", ["policy"]],
  ["api_key.", ["keys", "policy"]],
  ["scrub_", ["scrub"]],
];

/** So many events in a row are one look at a list; milliseconds. Executions may come by the hundred in a second. */
const GATHER_MS = 250;
const GATHER_MS_OF: Readonly<Record<string, number>> = {
  executions: 1_000,
  schedules: 1_000,
  approvals: 500,
};
/** The events are asked for again after this, and after twice as long each time that this fails. */
const AGAIN_MS = 500;
const AGAIN_MS_MAX = 8_000;
type EventType = TenantEvent["event"];
type Noun = EventType extends infer Type ? (Type extends `${infer N}.${string}` ? N : never) : never;
type Deed<N extends Noun> = EventType extends infer Type
  ? Type extends `${N}.${infer D}`
    ? D
    : never
  : never;

/** What is listened to. */
const HEARD: { readonly [N in Noun]?: readonly Deed<N>[] } = {
  tool: [
    "created",
    "updated",
    "enabled",
    "disabled",
    "approved",
    "rejected",
    "deleted",
    "version_proposed",
    "version_approved",
    "version_rejected",
    "quarantined",
  ],
  approval: ["requested", "answered", "standing_revoked"],
  mcp: ["access_requested", "access_answered"],
  mcp_server: [
    "created",
    "updated",
    "enabled",
    "disabled",
    "deleted",
    "granted",
    "grant_deleted",
    "state_changed",
  ],
  execution: ["started", "ended"],
  delivery: ["tried"],
  schedule: ["created", "updated", "paused", "resumed", "deleted"],
  config_service: ["created", "updated", "deleted", "registered", "released"],
  config_entry: ["created", "updated", "deleted"],
  policy: ["updated"],
  api_key: ["created", "rotated", "deleted"],
  scrub_rule: ["created", "deleted"],
};
const TYPES = Object.entries(HEARD).flatMap(([noun, deeds]) =>
  deeds.map((deed) => `${noun}.${deed}` as Exclude<EventType, "events.gap" | "execution.dropped">),
);

/** What came by the stream; null: something may have been missed, so all has to be looked at. */
export type Heard = TenantEvent | null;

const hearers = new Set<(heard: Heard) => void>();

function tellHearers(heard: Heard): void {
  for (const hear of hearers) hear(heard);
}

/** Hears each event as it comes, until what it gives is called. */
export function onNews(hear: (heard: Heard) => void): () => void {
  hearers.add(hear);
  return () => hearers.delete(hear);
}

/**
 * Tells a screen of the events that came, some at a time: one telling after another, and a pause before each. What it does
 * with them must not reject.
 */
export function useHeard(tell: (heard: readonly Heard[]) => Promise<unknown>, pauseMs: number): void {
  const told = useEffectEvent(tell);
  useEffect(() => {
    let waiting: Heard[] = [];
    let isTelling = false;
    const over = new AbortController();
    const run = async (): Promise<void> => {
      isTelling = true;
      while (waiting.length > 0 && !over.signal.aborted) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        const heard = waiting;
        waiting = [];
        if (!over.signal.aborted) await told(heard);
      }
      isTelling = false;
    };
    const hear = (heard: Heard): void => {
      waiting.push(heard);
      if (!isTelling) void run();
    };
    const stop = onNews(hear);
    return () => {
      over.abort();
      stop();
    };
  }, [pauseMs]);
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
  const changed = gather(
    (key) => client.invalidateQueries({ queryKey: [key] }),
    (key) => GATHER_MS_OF[key] ?? GATHER_MS,
    signal,
  );
  let failures = 0;
  const onResponse = ({ status }: { status: number }): void => {
    if (status >= 400) return;
    become("live");
    // Behind the new beginning of the events: whatever happened while there were none is looked at once.
    if (failures > 0) lookAtAll(client, changed);
    failures = 0;
  };
  while (!signal.aborted) {
    let askedMs: number | undefined;
    try {
      // A break is to be seen at once, and what came meanwhile is looked at: nothing is tried again behind the page's back.
      for await (const told of api.events({ types: TYPES }, { signal, retries: 0, onResponse })) {
        const { event } = told;
        const isMissing = event === "events.gap" || event === "execution.dropped";
        const keys = event === "events.gap" ? EVERY_KEY : keysOf(event);
        for (const key of keys) changed(key);
        if ("source" in told.data && told.data.source === "schedule") changed("schedules");
        tellHearers(isMissing ? null : told);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isLoggedOut(error)) return sessionEnded();
      askedMs = error instanceof BulkheadError ? error.retryAfterMs : undefined;
    }
    become("reconnecting");
    const backoffMs = Math.min(AGAIN_MS_MAX, AGAIN_MS * 2 ** failures) * (0.75 + Math.random() / 2);
    failures += 1;
    await new Promise((resolve) => setTimeout(resolve, Math.max(backoffMs, askedMs ?? 0)));
  }
}

function lookAtAll(client: QueryClient, changed: (key: string) => void): void {
  for (const key of EVERY_KEY) changed(key);
  void client.refetchQueries({ type: "active", predicate: (query) => query.state.status === "error" });
  tellHearers(null);
}

const EVERY_KEY = [...CHANGED.flatMap(([, keys]) => keys), "schedules"];

const keysOf = (event: string): readonly string[] =>
  CHANGED.find(([prefix]) => event.startsWith(prefix))?.[1] ?? [];

export const useLiveState = (): LiveState =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
