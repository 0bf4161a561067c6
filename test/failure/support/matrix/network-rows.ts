import { setTimeout as delay } from "node:timers/promises";
import type { Bounds } from "../history/history.ts";
import type { Doors } from "../rig/rig.ts";
import type { TcpProxy } from "../wire/tcp-proxy.ts";
import { LEASE_MS, type FaultRow, type Scene } from "./row.ts";

interface Way {
  name: string;
  /** Milliseconds. */
  lastsMs: number;
  disturb: (proxy: TcpProxy) => void;
}

const WAYS: readonly Way[] = [
  { name: "slow (250 ms each way)", lastsMs: 5_000, disturb: (proxy) => proxy.delay(250) },
  { name: "cut", lastsMs: 4_000, disturb: (proxy) => proxy.cut() },
  { name: "half-open", lastsMs: 8_000, disturb: (proxy) => proxy.halfOpen() },
  {
    name: "stalled beyond the lease, then delivered late",
    lastsMs: LEASE_MS + 4_000,
    disturb: (proxy) => proxy.stall(),
  },
];

const PARTIES: { name: string; doorsOf: (scene: Scene) => Doors[] }[] = [
  { name: "the worker", doorsOf: ({ rig }) => rig.workers().map(({ doors }) => doors) },
  { name: "the API", doorsOf: ({ rig }) => [rig.apiDoors] },
];

/**
 * A worker that hears nothing of a cancel goes on until it looks at its lease; and what could not be appended to a log
 * is lost to its followers.
 */
const CUT_OFF: Bounds = { logsLost: true, effectMsMax: LEASE_MS };

/** Every way to disturb each connection of each party to each store. */
export const NETWORK_ROWS: readonly FaultRow[] = PARTIES.flatMap((party) =>
  (["redis", "postgres"] as const).flatMap((store) =>
    WAYS.map((way): FaultRow => {
      const name = `${party.name}'s ${store === "redis" ? "Redis" : "Postgres"} ${way.name}`;
      return {
        name,
        bounds: CUT_OFF,
        strike: async (scene) => {
          const proxies = party.doorsOf(scene).map((doors) => doors[store]);
          for (const proxy of proxies) way.disturb(proxy);
          await delay(way.lastsMs);
          for (const proxy of proxies) proxy.heal();
        },
      };
    }),
  ),
);
