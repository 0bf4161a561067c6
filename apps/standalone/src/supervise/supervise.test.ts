import { expect, test } from "vitest";
import { backoffMs, supervise, type Running, type SuperviseDeps } from "./supervise.ts";

interface Fake extends Running {
  die(why: string): void;
  stops: number;
}

function fake(): Fake {
  const { promise, resolve } = Promise.withResolvers<string>();
  const running: Fake = {
    ended: promise,
    die: resolve,
    stops: 0,
    stop: async () => {
      running.stops += 1;
      resolve("was stopped");
    },
  };
  return running;
}

/** Time stands still unless a test moves it; each wait is written down and ends when the test says so. */
function world() {
  let time = 0;
  const said: string[] = [];
  const waits: { ms: number; end: () => void }[] = [];
  const deps: SuperviseDeps = {
    say: (line) => said.push(line),
    now: () => time,
    sleep: (ms, signal) =>
      new Promise<void>((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        if (signal.aborted) reject(signal.reason as Error);
        waits.push({ ms, end: resolve });
      }),
  };
  return { deps, said, waits, pass: (ms: number) => (time += ms) };
}

/** Lets everything that can go on do so. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a first start that fails is thrown, not repeated", async () => {
  const { deps, waits } = world();
  await expect(supervise(deps, "it", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(waits).toEqual([]);
});

test("what dies is started again, counted, and told about", async () => {
  const { deps, said, waits } = world();
  const runs: Fake[] = [];
  const starts: (Fake | null)[] = [];
  const kept = await supervise(deps, "it", async (_, before: Fake | null) => {
    starts.push(before);
    const run = fake();
    runs.push(run);
    return run;
  });
  runs[0]?.die("was ended by SIGKILL");
  await settle();
  expect(waits.map(({ ms }) => ms)).toEqual([250]);
  waits[0]?.end();
  await settle();
  expect(kept.current()).toBe(runs[1]);
  expect(kept.restarts()).toBe(1);
  expect(starts).toEqual([null, runs[0]]);
  expect(said).toEqual(["it was ended by SIGKILL; starting it again in 0.25 s", "it runs again (start 2)"]);
  await kept.stop();
});

test("each death in a row doubles the wait, failed starts count, and a minute up forgets them", async () => {
  const { deps, waits, pass } = world();
  let refusals = 0;
  const kept = await supervise(deps, "it", async () => {
    if (refusals > 0) {
      refusals -= 1;
      throw new Error("refused");
    }
    return fake();
  });
  refusals = 2;
  kept.current().die("died");
  for (const at of [0, 1, 2]) {
    await settle();
    waits[at]?.end();
  }
  await settle();
  expect(waits.map(({ ms }) => ms)).toEqual([250, 500, 1_000]);

  pass(60_000);
  kept.current().die("died");
  await settle();
  expect(waits.at(-1)?.ms).toBe(250);
  await kept.stop();
});

test("stop ends what runs, and nothing is started again after it", async () => {
  const { deps, waits } = world();
  const kept = await supervise(deps, "it", async () => fake());
  await kept.stop();
  await kept.stop();
  expect(kept.current().stops).toBeGreaterThan(0);
  expect(waits).toEqual([]);
  expect(kept.restarts()).toBe(0);
});

test("stop while it waits for the next start ends the wait", async () => {
  const { deps, waits } = world();
  const kept = await supervise(deps, "it", async () => fake());
  kept.current().die("died");
  await settle();
  expect(waits).toHaveLength(1);
  await kept.stop();
  expect(kept.restarts()).toBe(0);
});

test("stop while it is being started again ends what was just started", async () => {
  const { deps, waits } = world();
  const { promise, resolve } = Promise.withResolvers<Fake>();
  let first = true;
  const kept = await supervise(deps, "it", () => {
    if (!first) return promise;
    first = false;
    return Promise.resolve(fake());
  });
  kept.current().die("died");
  await settle();
  waits[0]?.end();
  await settle();
  const stopped = kept.stop();
  const late = fake();
  resolve(late);
  await stopped;
  expect(late.stops).toBe(1);
});

test("the wait doubles with each death in a row and stops growing at 30 s", () => {
  expect([1, 2, 3, 4].map(backoffMs)).toEqual([250, 500, 1_000, 2_000]);
  expect([8, 9, 1_000_000].map(backoffMs)).toEqual([30_000, 30_000, 30_000]);
});
