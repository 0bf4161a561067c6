import { expect, test } from "vitest";
import { bytes, count, duration, percent } from "./numbers.ts";

test.each([
  [0, "0 ms"],
  [8.26, "8.3 ms"],
  [412.4, "412 ms"],
  [999.6, "1 s"],
  [1_240, "1.24 s"],
  [59_999, "1 min"],
  [185_000, "3 min 5 s"],
  [3_600_000, "1 h"],
  [7_800_000, "2 h 10 min"],
  [273_600_000, "3 d 4 h"],
])("%d milliseconds are told as %s", (ms, words) => expect(duration(ms, "en")).toBe(words));

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_400_000, "1.4 MB"],
  [2_000_000_000, "2 GB"],
])("%d bytes are told as %s", (value, words) => expect(bytes(value, "en")).toBe(words));

test("counts and shares are written as the viewer's locale does", () => {
  expect([count(12_345, "en"), count(12_345, "de"), count(1_234_567, "en")]).toEqual([
    "12,345",
    "12.345",
    "1.2M",
  ]);
  expect(percent(0.125, "en")).toBe("12.5%");
});
