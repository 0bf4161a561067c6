import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { childEnv } from "./child-env.ts";

const parent = {
  PATH: "/bin",
  EGRESS_ALLOW: "127.0.0.1",
  LOG_LEVEL: "debug",
  OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
  AWS_SECRET_ACCESS_KEY: "theirs",
  NODE_OPTIONS: "--require /somewhere",
};

test("children get the system's basics, the product's settings, OpenTelemetry's, and nobody's credentials", () => {
  expect(childEnv(parent, { LOG_LEVEL: "info" })).toEqual({
    PATH: "/bin",
    EGRESS_ALLOW: "127.0.0.1",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
    LOG_LEVEL: "info",
    BULKHEAD_WATCH_PARENT: "1",
  });
});

/** Settings that standalone gives its children by itself. */
const GIVEN =
  /^(?:DATABASE_URL|REDIS_URL|HOST|PORT|LOG_LEVEL|METRICS_(?:HOST|PORT)|SHUTDOWN_GRACE_MS|BULKHEAD_\w+)$/u;

test.each(["api", "worker"])("every other setting of the %s reaches it", async (app) => {
  const files = [`apps/${app}/src/config.ts`, "libs/platform/src/platform-settings.ts"];
  const texts = files.map((file) => readFile(new URL(`../../../../${file}`, import.meta.url), "utf8"));
  const config = (await Promise.all(texts)).join("");
  const names = [...config.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gmu)].map(([, name = ""]) => name);
  const others = names.filter((name) => !GIVEN.test(name));
  expect(others).toContain("EGRESS_ALLOW");
  const set = Object.fromEntries(others.map((name) => [name, "x"]));
  expect(childEnv(set, {})).toMatchObject(set);
});
