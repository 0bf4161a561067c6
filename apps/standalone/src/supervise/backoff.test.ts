import { expect, test } from "vitest";
import { backoffMs } from "./backoff.ts";

test("the wait doubles with each death in a row and stops growing at 30 s", () => {
  expect([1, 2, 3, 4].map(backoffMs)).toEqual([250, 500, 1_000, 2_000]);
  expect([8, 9, 1_000_000].map(backoffMs)).toEqual([30_000, 30_000, 30_000]);
});
