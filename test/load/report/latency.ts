import { startBulkhead } from "../systems.ts";
import { START_SECONDS, warmUpSeconds, type Figure, type Part } from "./part.ts";
import { callRightly, inTurns, using, warmUp } from "./rounds.ts";

const CONNECTIONS = [1, 16, 64];

/** What one caller waits, alone and among others. */
export const latency: Part = {
  name: "latency",
  title: "Latency of a synchronous call",
  how: "One tenant calls a small tool over kept-alive connections, each waiting for its answer; from request to answer.",
  expectSeconds: (settings) =>
    START_SECONDS + warmUpSeconds(settings) + settings.rounds * settings.seconds * CONNECTIONS.length,
  measure: (settings) =>
    using(startBulkhead(), async (system) => {
      await warmUp([system], settings);
      const measured = await inTurns(
        settings,
        CONNECTIONS.map((connections) => ({
          name: named(connections),
          run: () => callRightly(system, connections, settings.seconds),
        })),
      );
      return measured.flatMap((loads, place) =>
        (["p50", "p95", "p99"] as const).map((share): Figure => ({
          what: `${named(CONNECTIONS[place] ?? 0)}, ${share}`,
          unit: "ms",
          rounds: loads.map((one) => one[share]),
        })),
      );
    }),
};

const named = (connections: number): string => `${connections} connection${connections === 1 ? "" : "s"}`;
