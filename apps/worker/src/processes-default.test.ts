import { totalmem } from "node:os";
import { expect, test } from "vitest";
import { processesDefault } from "./processes-default.ts";

test.each([
  [512, 16],
  [4_096, 16],
  [8_192, 20],
  [16_384, 40],
  [1_048_576, 64],
])(
  "of %i MiB a quarter may be sandboxes' at 100 MiB each, within bounds: %i processes",
  (memoryMib, count) => {
    expect(processesDefault(memoryMib)).toBe(count);
  },
);

test("it never reckons with more than the machine has", () => {
  expect(processesDefault()).toBeLessThanOrEqual(processesDefault(totalmem() / 2 ** 20));
});
