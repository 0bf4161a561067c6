import type { ApiKey } from "@bulkhead/client";

/** How a key stands: what ends soon, or what still works beside it, is told with its moment. */
export type KeyStand = { state: "open" | "expired" } | { state: "expiring" | "rotating"; at: string };

/** An end within so many milliseconds is near: a week. */
const NEAR_MS = 7 * 86_400_000;

export function standOf({ expiresAt, formerUntil }: ApiKey, now: Date): KeyStand {
  const until = (at: string | undefined): number =>
    at === undefined ? Infinity : Date.parse(at) - now.getTime();
  if (until(expiresAt) <= 0) return { state: "expired" };
  if (expiresAt !== undefined && until(expiresAt) < NEAR_MS) return { state: "expiring", at: expiresAt };
  if (formerUntil !== undefined && until(formerUntil) > 0) return { state: "rotating", at: formerUntil };
  return { state: "open" };
}

const DAY_MS = 86_400_000;

/** For how long a key may be made, in days; 0: until it is deleted. */
export const LIFETIMES_DAYS = [0, 1, 7, 30, 90, 365] as const;

export const lifetimeWords = (days: number): string =>
  days === 0 ? "Until it is deleted" : days === 1 ? "One day" : days === 365 ? "One year" : `${days} days`;

/** When a key that is made now ends. */
export const endAfter = (days: number, now: Date): string | undefined =>
  days === 0 ? undefined : new Date(now.getTime() + days * DAY_MS).toISOString();

/** What each role may do, in words for whoever chooses one. */
export const ROLES = {
  agent: "Runs tools and proposes them; people answer for it.",
  developer: "Writes tools, services and schedules, and runs them.",
  viewer: "Looks at everything, and changes nothing.",
  owner: "Does everything in this tenant, keys and settings too.",
} as const;

export type KeyRole = keyof typeof ROLES;
export const KEY_ROLES = Object.keys(ROLES) as KeyRole[];
