import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { machineHeadroom } from "./machine-headroom.ts";

const SPIN_MS = 200;

async function spin(): Promise<void> {
  const end = performance.now() + SPIN_MS;
  await sleep(0);
  while (performance.now() < end);
  await sleep(0);
}

test("a thread that computes all the time has no headroom, whatever the machine has", async () => {
  const headroom = machineHeadroom(() => null);
  await sleep(0);
  headroom();
  await spin();
  expect(headroom()).toBeLessThan(0.1);
});

test("it is a share", async () => {
  const headroom = machineHeadroom(() => 0);
  for (let look = 0; look < 5; look += 1) {
    await sleep(20);
    const share = headroom();
    expect(share).toBeGreaterThanOrEqual(0);
    expect(share).toBeLessThanOrEqual(1);
  }
});

test("processors that others keep busy are no reason for fewer slots", async () => {
  // Nothing of what is used in that time is ours.
  const headroom = machineHeadroom(() => 0);
  await sleep(300);
  expect(headroom()).toBeGreaterThanOrEqual(0.1);
});
