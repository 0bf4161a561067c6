import { until } from "@bulkhead/testing";
import { setTimeout as delay } from "node:timers/promises";
import type { RigWorker } from "../rig/rig.ts";
import { LEASE_MS, type FaultRow, type Scene, type WorkerRig } from "./row.ts";

/** The worker that all rows of this file do their damage to; kept alone, so that it takes everything. */
const victimOf = ({ rig }: Scene<WorkerRig>): RigWorker => {
  const [victim] = rig.workers();
  if (!victim) throw new Error("no worker lives");
  return victim;
};

async function killAndReplace(scene: Scene<WorkerRig>, victim: RigWorker): Promise<void> {
  await victim.app.kill();
  await scene.rig.startWorker();
}

/** So long what is to be killed or held goes on: the damage comes before its end, however late it comes. Milliseconds. */
const LONG_MS = 5_000;
/** More than its slots. */
const BURST = 40;

/** Kills the worker at the moment when the stream of a ticker shows what `isMoment` looks for. */
const killWhenStreamShows =
  (text: string) =>
  async (scene: Scene<WorkerRig>): Promise<void> => {
    const victim = victimOf(scene);
    const executionId = await scene.start("ticker", { lingerMs: LONG_MS });
    await scene.burst(BURST);
    const reading = await scene.caller.follow(executionId, null, ({ event, data }) =>
      `${event} ${data}`.includes(text) ? "leave" : "go on",
    );
    if (reading?.ended !== "left") throw new Error(`the stream never showed ${text}`);
    await killAndReplace(scene, victim);
    scene.afterwards(async () => {
      const { status, attempt } = await scene.row(executionId);
      return status === "succeeded" && attempt === 2
        ? []
        : [`killed at ${text}: ${status} at attempt ${attempt}`];
    });
  };

export const WORKER_ROWS: readonly FaultRow<WorkerRig>[] = [
  {
    name: "kill -9 of a worker that has taken an execution and not yet read it",
    strike: async (scene) => {
      const victim = victimOf(scene);
      const look = victim.doors.postgres.hold({ text: "executions.look", toward: "server" });
      const executionId = await scene.start("nap");
      await look;
      await killAndReplace(scene, victim);
      scene.afterwards(async () => {
        const { status } = await scene.row(executionId);
        return status === "succeeded" ? [] : [`taken and never read: ${status}`];
      });
    },
  },
  {
    name: "kill -9 of a worker whose sandbox process has just been bound",
    strike: killWhenStreamShows("execution.started"),
  },
  { name: "kill -9 of a worker in mid-stream", strike: killWhenStreamShows('"tick":3') },
  {
    name: "kill -9 of a worker whose tool has computed its result",
    strike: killWhenStreamShows('"computed":true'),
  },
  {
    name: "kill -9 of a worker before its terminal write has arrived",
    strike: async (scene) => {
      const victim = victimOf(scene);
      const marker = `done-${scene.name}-own-1`;
      const write = victim.doors.postgres.hold({ text: marker, toward: "server" });
      const executionId = await scene.start("nap");
      await write;
      await killAndReplace(scene, victim);
      scene.afterwards(async () => {
        const { status, attempt } = await scene.row(executionId);
        return status === "succeeded" && attempt === 2 ? [] : [`its write was lost: ${status} at ${attempt}`];
      });
    },
  },
  {
    name: "kill -9 of a worker whose short run is over, before its claim and end have arrived",
    strike: async (scene) => {
      const victim = victimOf(scene);
      const marker = `done-${scene.name}-own-1`;
      const write = victim.doors.postgres.hold({ text: marker, toward: "server" });
      const executionId = await scene.start("nap", { ms: 0 });
      await write;
      // On a busy machine a short run may last long enough to be claimed before its end.
      const wasClaimed = (await scene.row(executionId)).status === "running";
      await killAndReplace(scene, victim);
      scene.afterwards(async () => {
        const { status, attempt } = await scene.row(executionId);
        // Nobody could know of an unclaimed run: the attempt is made as if it had not been.
        return status === "succeeded" && attempt === (wasClaimed ? 2 : 1)
          ? []
          : [`it ran ${wasClaimed ? "claimed" : "unclaimed"}: ${status} at ${attempt}`];
      });
    },
  },
  {
    name: "kill -9 of a worker after its terminal write, before it hears of it",
    strike: async (scene) => {
      const victim = victimOf(scene);
      const marker = `${scene.name}-own-1`;
      const executionId = await scene.start("nap", { ms: LONG_MS });
      // The answer to its claim has come by then.
      await scene.caller.follow(executionId, null, ({ event }) =>
        event === "execution.started" ? "leave" : "go on",
      );
      // The next answer with its arguments is the one to its write: it writes, and never knows.
      const answer = victim.doors.postgres.hold({ text: marker, toward: "client" });
      const isEnded = async (): Promise<boolean> => (await scene.row(executionId)).finished_at !== null;
      await until(isEnded, { what: "the write has arrived" });
      await answer;
      await killAndReplace(scene, victim);
      scene.afterwards(async () => {
        const { status, attempt } = await scene.row(executionId);
        return status === "succeeded" && attempt === 1 ? [] : [`it was written: ${status} at ${attempt}`];
      });
    },
  },
  {
    name: "SIGSTOP of a worker for twice its lease, then SIGCONT",
    strike: async (scene) => {
      const victim = victimOf(scene);
      const beacon = await scene.start("beacon");
      const seen = () => scene.rig.effects.seen.filter(({ executionId }) => executionId === beacon);
      await until(() => seen().length > 1, { what: "its tool has effects" });
      process.kill(victim.app.pid, "SIGSTOP");
      const other = await scene.rig.startWorker();
      await delay(2 * LEASE_MS);
      const before = { effects: seen().length, row: await scene.row(beacon) };
      process.kill(victim.app.pid, "SIGCONT");
      scene.afterwards(async () => {
        const after = await scene.row(beacon);
        const written = JSON.stringify(after) === JSON.stringify(before.row);
        return [
          ...(before.row.status === "lost" ? [] : [`given up as ${before.row.status}`]),
          ...(written ? [] : [`the woken worker wrote ${JSON.stringify(after)}`]),
          ...(seen().length > before.effects ? ["the woken worker's tool had an effect"] : []),
        ];
      });
      scene.afterwards(async () => {
        // One worker is what the other rows of a rig begin with.
        await victim.app.stop();
        return scene.rig.workers().includes(other) ? [] : ["the other worker died"];
      });
    },
  },
  {
    name: "a rolling restart of the workers",
    strike: async ({ rig }) => {
      for (const old of rig.workers()) {
        await rig.startWorker();
        await old.app.stop();
      }
    },
  },
];
