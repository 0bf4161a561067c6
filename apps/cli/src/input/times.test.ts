import { expect, test } from "vitest";
import { durationMs, momentOf, shownAgo, shownDuration } from "./times.ts";

const NOW = new Date("2026-05-01T12:00:00.000Z");

test.each([
  ["500ms", 500],
  ["30s", 30_000],
  ["1.5h", 5_400_000],
  ["7d", 604_800_000],
])("%s is a duration", (text, ms) => {
  expect(durationMs(text, "--timeout")).toBe(ms);
});

test.each(["", "30", "s", "-1s", "1w", "1 s", "1e3s"])(
  "%j is none, which the fault says of its option",
  (text) => {
    expect(() => durationMs(text, "--timeout")).toThrow(`--timeout: "${text}" is no duration.`);
  },
);

test("a moment is written out, so long ago, or so long from now", () => {
  expect(momentOf("2h", "--since", NOW, -1)).toBe("2026-05-01T10:00:00.000Z");
  expect(momentOf("2h", "--expires", NOW, 1)).toBe("2026-05-01T14:00:00.000Z");
  expect(momentOf("2026-04-30", "--since", NOW, -1)).toBe("2026-04-30T00:00:00.000Z");
  for (const text of ["yesterday", "2026-13-01", "5"])
    expect(() => momentOf(text, "--since", NOW, -1)).toThrow("is no moment");
});

test("durations are shown with two figures", () => {
  expect([undefined, 0, 850, 1_234, 12_345, 200_000, 7_200_000, 172_800_000].map(shownDuration)).toEqual([
    "",
    "0 ms",
    "850 ms",
    "1.2 s",
    "12 s",
    "3.3 m",
    "2 h",
    "2 d",
  ]);
  expect(shownAgo("2026-05-01T11:57:00.000Z", NOW)).toBe("3 m ago");
  expect(shownAgo("2026-05-01T12:01:00.000Z", NOW)).toBe("in 1 m");
});
