import { expect, test } from "vitest";
import { quietPorts } from "./quiet-ports.ts";

test.each([
  ["Linux as it comes", "32768\t60999\n", { from: 20_000, below: 30_000 }],
  ["another system", "", { from: 20_000, below: 30_000 }],
  ["one that begins in the midst", "25000 60999", { from: 20_000, below: 25_000 }],
  ["one that begins below", "16000 60999", { from: 61_000, below: 65_536 }],
  ["one that ends below", "1024 9999", { from: 20_000, below: 65_536 }],
  ["one that leaves nothing", "1024 65535", { from: 20_000, below: 30_000 }],
])("ports that nobody is given: %s", (_, localRange, range) => {
  expect(quietPorts(localRange)).toEqual(range);
});
