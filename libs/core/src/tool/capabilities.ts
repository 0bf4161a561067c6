import { coversHost } from "./allowed-hosts.ts";
import { RUN_LIMITS_MAX, type RunLimits } from "../limit/limits.ts";
import type { Permission, ToolDefinition } from "./tool-definition.ts";

/** The effects that a version may have on the world, and their bounds: an approval allows these. */
export interface Capabilities {
  permissions: Permission[];
  /** Patterns as `readAllowedHosts` writes them; null is any public host. Empty without the permission `network`. */
  hosts: string[] | null;
  /** Config services whose values it gets. */
  services: string[];
  /** Other tools that its code names in calls; null is any tool. */
  tools: string[] | null;
  limits: RunLimits;
}

/** Less than any tool asks for, so that every tool that is judged by it waits. */
export const NO_CAPABILITIES: Capabilities = {
  permissions: [],
  hosts: [],
  services: [],
  tools: [],
  limits: {
    cpuMs: 0,
    wallMs: 0,
    memoryMib: 0,
    networkRequests: 0,
    bytesIn: 0,
    bytesOut: 0,
    resultBytes: 0,
    logBytes: 0,
    nestedCalls: 0,
  },
};

export const GROWTH_KINDS = ["permission", "host", "service", "tool", "limit"] as const;

/** One capability of a version that an earlier one lacks. A target `*` is any. */
export interface Growth {
  kind: (typeof GROWTH_KINDS)[number];
  target: string;
  /** A limit's maximum before and now. */
  before?: number;
  after?: number;
}

const ANY = "*";

/** The capabilities of a definition whose code calls `calledTools`; null means any tool. */
export const capabilitiesOf = (
  { permissions, allowedHosts, services, limits }: ToolDefinition,
  calledTools: readonly string[] | null,
): Capabilities => ({
  permissions: permissions.toSorted(),
  hosts: permissions.includes("network") ? (allowedHosts?.toSorted() ?? null) : [],
  services: services.toSorted(),
  tools: calledTools?.toSorted() ?? null,
  limits: { ...limits },
});

/** Everything that `now` may do and `before` may not; empty exactly where `before` covers it. */
export function grownCapabilities(before: Capabilities, now: Capabilities): Growth[] {
  return [
    ...beyond("permission", before.permissions, now.permissions),
    ...beyond("host", before.hosts, now.hosts, coversHost),
    ...beyond("service", before.services, now.services),
    ...beyond("tool", before.tools, now.tools),
    ...higherLimits(before.limits, now.limits),
  ];
}

function beyond(
  kind: Growth["kind"],
  before: readonly string[] | null,
  now: readonly string[] | null,
  isCovered: (known: string, wanted: string) => boolean = (known, wanted) => known === wanted,
): Growth[] {
  if (before === null) return [];
  if (now === null) return [{ kind, target: ANY }];
  return now
    .filter((wanted) => !before.some((known) => isCovered(known, wanted)))
    .map((target) => ({ kind, target }));
}

function higherLimits(before: RunLimits, now: RunLimits): Growth[] {
  return (Object.keys(RUN_LIMITS_MAX) as (keyof RunLimits)[])
    .filter((name) => now[name] > before[name])
    .map((name) => ({ kind: "limit", target: name, before: before[name], after: now[name] }));
}
