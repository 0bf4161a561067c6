import { expect, test } from "vitest";
import { readProgress } from "./read-progress.ts";

test.each([
  [0.25, 0.25, "25%"],
  [1, 1, "100%"],
  [40, 0.4, "40%"],
  [250, 1, "100%"],
  [{ percent: 12.5 }, 0.125, "13%"],
  [{ done: 3, total: 4 }, 0.75, "3 of 4"],
  [{ done: 9, total: 4, message: "files" }, 1, "9 of 4 files"],
])("%j is a bar", (value, share, words) => expect(readProgress(value)).toEqual({ share, words }));

test.each([[-1], [Number.NaN], ["half"], [null], [{ done: 1 }], [{ done: 1, total: 0 }], [[1, 2]]])(
  "%j is a value",
  (value) => expect(readProgress(value)).toBeNull(),
);
