import { expect, test } from "vitest";
import { mayHoldMore } from "./fair-share.ts";

/** What each tenant ends up with when they come one after the other and take what they may. */
function shares(processesMax: number, tenants: number): number[] {
  const held: number[] = [];
  for (let tenant = 0; tenant < tenants; tenant++) {
    held[tenant] = 0;
    const running = (): number => held.reduce((sum, own) => sum + own, 0);
    while (running() < processesMax && mayHoldMore(held[tenant] ?? 0, running(), processesMax)) {
      held[tenant] = (held[tenant] ?? 0) + 1;
    }
  }
  return held;
}

test.each([
  [16, 1, [12]],
  [16, 3, [12, 3, 1]],
  [4, 2, [3, 1]],
  [2, 1, [2]],
  [1, 1, [1]],
])("of %d processes, %d greedy tenants get %j", (processesMax, tenants, expected) => {
  expect(shares(processesMax, tenants)).toEqual(expected);
});
