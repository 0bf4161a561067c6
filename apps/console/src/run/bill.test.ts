import { expect, test } from "vitest";
import { billOf } from "./bill.ts";

const AT = { createdAt: "2026-06-01T12:00:00.000Z", startedAt: "2026-06-01T12:00:00.020Z" };

test("a bill names what was used, and nothing that was not", () => {
  const usage = { cpuMs: 12, wallMs: 1_200, memoryPeakMib: 7.2, networkRequests: 1 };
  expect(billOf({ ...AT, attempts: 2, durationMs: 1_240, usage }, "en")).toEqual([
    "1.24 s in all",
    "waited 20 ms",
    "ran 1.2 s",
    "12 ms of processor",
    "8 MiB",
    "1 request",
    "2 tries",
  ]);
  const none = { cpuMs: 0, wallMs: 0, memoryPeakMib: 0, networkRequests: 0 };
  expect(billOf({ createdAt: AT.createdAt, attempts: 0, usage: none })).toEqual([]);
});
