import type { Me } from "@bulkhead/client";
import type { ReactNode } from "react";
import { useMe } from "../../data/session.ts";
import { Facts, Part } from "../../design/part.tsx";
import { bytes, count, duration } from "../../format/numbers.ts";

type Limits = NonNullable<Me["limits"]>;

const ROWS: readonly (readonly [name: string, value: (limits: Limits) => ReactNode])[] = [
  ["Running at once", (l) => count(l.maxConcurrentExecutions)],
  ["Starting in a second", (l) => count(l.executionsPerSecond)],
  ["Starting at once after a pause", (l) => count(l.executionBurst)],
  ["Waiting", (l) => count(l.maxQueuedExecutions)],
  ["Requests in a second", (l) => count(l.requestsPerSecond)],
  [
    "Calls of a session in a minute",
    (l) => (l.sessionCallsPerMinute === 0 ? "any" : count(l.sessionCallsPerMinute)),
  ],
  ["Messages in a day", (l) => count(l.messagesPerDay)],
  ["Devices", (l) => count(l.maxDevices)],
  ["Weight against other tenants", (l) => count(l.weight)],
  ["Time of a run", (l) => duration(l.wallMs)],
  ["Processor time of a run", (l) => duration(l.cpuMs)],
  ["Heap of a run", (l) => `${count(l.memoryMib)} MiB`],
  ["Requests of a run", (l) => count(l.networkRequests)],
  ["Bytes in", (l) => bytes(l.bytesIn)],
  ["Bytes out", (l) => bytes(l.bytesOut)],
  ["Result", (l) => bytes(l.resultBytes)],
  ["Log", (l) => bytes(l.logBytes)],
  ["Calls of other tools", (l) => count(l.nestedCalls)],
];

/** What the platform's administrator has set for the tenant, for whoever wonders why something was refused. */
export function Limits() {
  const { limits } = useMe();
  if (limits === null) return null;
  return (
    <Part title="Limits">
      <Facts facts={ROWS.map(([name, value]) => [name, value(limits)] as const)} />
      <p className="mt-2 text-xs text-ink-3">
        The platform&apos;s administrator sets them; a tool may have lower ones.
      </p>
    </Part>
  );
}
