import { startBulkhead, startByHand, type System } from "../systems.ts";
import { START_SECONDS, warmUpSeconds, type Figure, type Part } from "./part.ts";
import { callRightly, inTurns, ratio, warmUp } from "./rounds.ts";

const CONNECTIONS = [1, 64];
const SYSTEMS = 3;

/** Beside what a user would write by hand, in the same rounds. */
export const throughput: Part = {
  name: "throughput",
  title: "Throughput beside a composition by hand",
  how:
    "Calls per second, in turns with Fastify → BullMQ → a worker that runs the tool in a fresh isolated-vm context in its own " +
    "process (no database, limits, process boundary or stream), and the same with no sandbox at all.",
  expectSeconds: (settings) =>
    SYSTEMS *
    (START_SECONDS + warmUpSeconds(settings) + settings.rounds * settings.seconds * CONNECTIONS.length),
  async measure(settings) {
    const systems: System[] = [];
    try {
      systems.push(await startBulkhead());
      systems.push(await startByHand("by hand, fresh isolated-vm context", "isolated-vm"));
      systems.push(await startByHand("by hand, no sandbox", "none"));
      await warmUp(systems, settings);
      const contenders = CONNECTIONS.flatMap((connections) =>
        systems.map((system) => ({
          name: `${system.name}, ${connections === 1 ? "1 connection" : `${connections} connections`}`,
          run: async () => (await callRightly(system, connections, settings.seconds)).perSecond,
        })),
      );
      const measured = await inTurns(settings, contenders);
      return contenders.flatMap(({ name }, place): Figure[] => {
        const rounds = measured[place] ?? [];
        const own = measured[place - (place % SYSTEMS)] ?? [];
        const shown: Figure = { what: name, unit: "/s", rounds };
        return place % SYSTEMS === 0 ? [shown] : [shown, ratio(`Bulkhead over ${name}`, own, rounds)];
      });
    } finally {
      for (const system of systems.toReversed()) await system.close();
    }
  },
};
