import { expect, it } from "vitest";
import { processStat } from "./process-stat.ts";

it.skipIf(process.platform !== "linux")("a process's stat agrees with what it knows of itself", () => {
  const stat = processStat(process.pid);
  const own = process.cpuUsage();
  expect(Math.abs((stat?.cpuMs ?? 0) - (own.user + own.system) / 1_000)).toBeLessThan(500);
  expect(stat?.rssMib).toBeGreaterThan(process.memoryUsage.rss() / 2 ** 20 / 2);
  expect(stat?.rssMib).toBeLessThan((process.memoryUsage.rss() / 2 ** 20) * 2);
});

it("a process that does not exist has no stat", () => {
  expect(processStat(2 ** 30)).toBeNull();
});
