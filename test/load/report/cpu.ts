import { roleClock } from "../cpu-by-role.ts";
import { startBulkhead, startByHand, type System } from "../systems.ts";
import { START_SECONDS, warmUpSeconds, type Figure, type Part } from "./part.ts";
import { callRightly, inTurns, using, warmUp } from "./rounds.ts";

const SYSTEMS = [
  () => startBulkhead(),
  () => startByHand("by hand, fresh isolated-vm context", "isolated-vm"),
];
/** Bulkhead's supervisor does nothing; a bench is no part of what it measures. */
const LEFT_OUT = ["bench", "other"];
const LEAST_MS = 0.001;

/** What one call costs in processor time, and which process pays. */
export const cpu: Part = {
  name: "cpu",
  title: "Processor time of one call",
  how:
    "Of each kind of process under a load over 64 connections, over the number of answers. The baseline's API and worker are " +
    "counted together, as `worker`.",
  expectSeconds: (settings) =>
    SYSTEMS.length * (START_SECONDS + warmUpSeconds(settings) + settings.rounds * settings.seconds),
  async measure(settings) {
    const figures: Figure[] = [];
    // One at a time: whose process it is would not be seen else.
    for (const open of SYSTEMS) {
      const measured = await using(open(), async (system) => {
        await warmUp([system], settings);
        const run = () => costOf(system, settings.seconds);
        const [rounds = []] = await inTurns(settings, [{ name: `${system.name}, 64 connections`, run }]);
        return figuresOf(system.name, rounds);
      });
      figures.push(...measured);
    }
    return figures;
  },
};

/** Milliseconds for each answer, by role. */
async function costOf(system: System, seconds: number): Promise<Record<string, number>> {
  const clock = roleClock();
  const { answers } = await callRightly(system, 64, seconds);
  return Object.fromEntries(Object.entries(clock()).map(([role, ms]) => [role, ms / answers]));
}

function figuresOf(name: string, rounds: Record<string, number>[]): Figure[] {
  const roles = [...new Set(rounds.flatMap((round) => Object.keys(round)))].filter(
    (role) => !LEFT_OUT.includes(role) && rounds.some((round) => (round[role] ?? 0) > LEAST_MS),
  );
  const of = (role: string): Figure => ({
    what: `${name}: ${role}`,
    unit: "ms",
    rounds: rounds.map((round) => round[role] ?? 0),
  });
  const all = rounds.map((round) => roles.reduce((sum, role) => sum + (round[role] ?? 0), 0));
  return [...roles.toSorted().map(of), { what: `${name}: all`, unit: "ms", rounds: all }];
}
