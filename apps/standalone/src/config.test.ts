import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

test("with nothing set it serves this machine only, on port 3000, and keeps its data in .data", () => {
  expect(readConfig({})).toMatchObject({
    HOST: "127.0.0.1",
    PORT: 3_000,
    METRICS_HOST: "127.0.0.1",
    METRICS_PORT: 9_464,
    DATA_DIR: ".data",
    SHUTDOWN_GRACE_MS: 5_000,
    LOG_LEVEL: "info",
  });
});

test("every bad setting is named at once, without its value", () => {
  const bad = {
    PORT: "70000",
    HOST: "???",
    METRICS_HOST: "127.0.0.1:9464",
    METRICS_PORT: "65535",
    DATABASE_URL: "mysql://u:hunter2@h/d",
    BULKHEAD_DEMO_KEY: "hunter2",
    LOG_LEVEL: "loud",
  };
  const reading = (): unknown => readConfig(bad);
  for (const name of Object.keys(bad)) expect(reading).toThrow(new RegExp(`^  ${name}: `, "mu"));
  expect(reading).not.toThrow(/hunter2/u);
});
