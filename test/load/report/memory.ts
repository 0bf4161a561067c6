import { setTimeout as delay } from "node:timers/promises";
import { startBulkhead } from "../systems.ts";
import { memoryByRole, type RoleMemory } from "./memory-by-role.ts";
import { START_SECONDS, warmUpSeconds, type Figure, type Part } from "./part.ts";
import { callRightly, inTurns, using, warmUp } from "./rounds.ts";

const SETTLE_MS = 2_000;
/** The others are of this bench or only wait. */
const ROLES = ["api", "worker", "sandboxes", "postgres", "redis"];
/** Of a load that has gone on for so much of its time. */
const LOOK_AT_SHARE = 0.8;

/** What the product keeps in memory. */
export const memory: Part = {
  name: "memory",
  title: "Memory",
  how:
    "Resident memory by kind of process, pages that several share counted by their share (PSS): after the start, and in the " +
    "midst of a load over 64 connections.",
  expectSeconds: (settings) =>
    START_SECONDS + SETTLE_MS / 1_000 + warmUpSeconds(settings) + settings.rounds * settings.seconds,
  measure: (settings) =>
    using(startBulkhead(), async (system) => {
      await delay(SETTLE_MS);
      const idle = memoryByRole();
      await warmUp([system], settings);
      const run = async () => {
        const calling = callRightly(system, 64, settings.seconds);
        await Promise.race([calling, delay(settings.seconds * 1_000 * LOOK_AT_SHARE)]);
        const seen = memoryByRole();
        await calling;
        return seen;
      };
      const [loaded = []] = await inTurns(settings, [{ name: "64 connections", run }]);
      return [...figuresOf("idle", [idle]), ...figuresOf("under load", loaded)];
    }),
};

const figuresOf = (when: string, seen: Record<string, RoleMemory>[]): Figure[] =>
  ROLES.map((role) => {
    const processes = Math.max(...seen.map((one) => one[role]?.processes ?? 0));
    const named = processes > 1 ? `${role} (${processes} processes)` : role;
    return { what: `${when}: ${named}`, unit: "MiB", rounds: seen.map((one) => one[role]?.pssMib ?? 0) };
  });
