import type { PolicyDocument, Tool } from "@bulkhead/client";
import { bytes, count, duration } from "../../format/numbers.ts";

type Limits = Tool["limits"];
type Fact = readonly [name: string, value: string];

const KIB = 1_024;
const MIB = 1_048_576;

/** Each limit's name, its value for people, and what it is counted in. */
export const LIMITS: readonly [
  limit: keyof Limits,
  name: string,
  words: (value: number) => string,
  unit: "ms" | "MiB" | "bytes" | "",
][] = [
  ["wallMs", "Time", duration, "ms"],
  ["cpuMs", "Processor time", duration, "ms"],
  ["memoryMib", "Memory", (value) => `${count(value)} MiB`, "MiB"],
  ["networkRequests", "Requests", count, ""],
  ["bytesIn", "Received", (value) => sizeOf(value), "bytes"],
  ["bytesOut", "Sent", (value) => sizeOf(value), "bytes"],
  ["resultBytes", "Result", (value) => sizeOf(value), "bytes"],
  ["logBytes", "Logs and progress", (value) => sizeOf(value), "bytes"],
  ["nestedCalls", "Calls of other tools", count, ""],
];

/** Whole KiB and MiB are told as such: limits are set so. */
function sizeOf(value: number): string {
  if (value % MIB === 0) return `${count(value / MIB)} MiB`;
  return value % KIB === 0 ? `${count(value / KIB)} KiB` : bytes(value);
}

/** What one run may use. */
export const limitFacts = (limits: Limits): Fact[] =>
  LIMITS.map(([limit, name, words]) => [name, words(limits[limit])]);

/** How a limit is called, and how much it is, in words. */
export function limitWords(limit: string, value: number): string {
  const known = LIMITS.find(([name]) => name === limit);
  return known === undefined ? `${limit} ${value}` : `${known[1]} ${known[2](value)}`;
}

/** How many runs may go on and start, and when one is tried again. */
export function rateFacts({ dispatch = {}, retry, idempotent }: Tool): Fact[] {
  const { maxConcurrent, perSecond } = dispatch;
  return [
    [
      "At one time",
      maxConcurrent === undefined ? "as the tenant's limits say" : `${count(maxConcurrent)} at most`,
    ],
    ["In a second", perSecond === undefined ? "as the tenant's limits say" : `${count(perSecond)} at most`],
    ["Tried again", retry === undefined ? "never" : retryWords(retry)],
    ["Safe to repeat", idempotent ? "yes" : "no"],
  ];
}

function retryWords({ attempts, backoffMs, delaysMs, on }: NonNullable<Tool["retry"]>): string {
  const pause = delaysMs?.[0] ?? backoffMs;
  return `${count(attempts)} tries in all, first after ${duration(pause)}, on ${on.join(", ")}`;
}

/** How long what its runs leave is kept. */
export function retentionFacts({ retention = {} }: Tool): Fact[] {
  const words = (days: "none" | number | undefined): string => {
    if (days === undefined) return "as the tenant's settings say";
    return days === "none" ? "not at all" : days === 1 ? "1 day" : `${count(days)} days`;
  };
  return [
    ["Arguments", words(retention.arguments)],
    ["Results", words(retention.result)],
    ["Logs", words(retention.events)],
  ];
}

/** Where its requests may go; null: to any public host. */
export const hostsOf = ({
  permissions,
  allowedHosts,
}: Pick<Tool, "permissions" | "allowedHosts">): string[] | null =>
  permissions.includes("network") ? (allowedHosts ?? null) : [];

/** The providers of models that the policy names, each once, in the order of their names. */
export function providersOf({ agents = {}, byProvider = {} }: PolicyDocument): readonly string[] {
  const ofAgents = Object.values(agents).flatMap((lists) => Object.keys(lists.byProvider ?? {}));
  const names = new Set([...ofAgents, ...Object.keys(byProvider)]);
  return [...names].sort((one, other) => one.localeCompare(other));
}
