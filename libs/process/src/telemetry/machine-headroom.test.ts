import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Headroom, machineHeadroom } from "./machine-headroom.ts";

const SPIN_MS = 200;
/** What others in this container use of its quota is no part of this. */
const unlimited = (): null => null;

/** Without a turn of the loop: how long the machine takes to wake a thread would count as its rest. */
function spin(): void {
  const end = performance.now() + SPIN_MS;
  while (performance.now() < end);
}

test("a thread that computes all the time has no headroom, whatever the machine has", async () => {
  const headroom = machineHeadroom(() => null, unlimited);
  await sleep(0);
  headroom();
  spin();
  expect(headroom()).toBeLessThan(0.1);
});

test("it is a share", async () => {
  const headroom = machineHeadroom(() => 0, unlimited);
  for (let look = 0; look < 5; look += 1) {
    await sleep(20);
    const share = headroom();
    expect(share).toBeGreaterThanOrEqual(0);
    expect(share).toBeLessThanOrEqual(1);
  }
});

test("processors that others keep busy are no reason for fewer slots", async () => {
  // Nothing of what is used in that time is ours.
  const before = performance.eventLoopUtilization();
  const headroom = machineHeadroom(() => 0, unlimited);
  await sleep(300);
  const share = headroom();
  // This thread's own loop bounds it too, where the machine stopped the thread while it did not sleep.
  const restedShare = 1 - performance.eventLoopUtilization(before).utilization;
  expect(share).toBeGreaterThanOrEqual(Math.min(0.1, restedShare));
});

test("what was said last stays for those who only look; before anything was said there is none", () => {
  const said = [0.4, 0.1].values();
  const latest = new Headroom();
  const ask = latest.follow(() => said.next().value ?? 0);
  expect(latest.value).toBe(0);
  expect([ask(), latest.value, latest.value]).toEqual([0.4, 0.4, 0.4]);
  expect([ask(), latest.value]).toEqual([0.1, 0.1]);
});
