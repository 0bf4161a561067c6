import { logLevel, port, readSettings, url, wholeNumber } from "@bulkhead/settings";
import { isSandboxLayer, SANDBOX_LAYERS } from "@bulkhead/domain";
import { parseEgressAllow } from "@bulkhead/egress";
import { z } from "zod";

const Settings = z.object({
  DATABASE_URL: url("postgres:", "postgresql:"),
  REDIS_URL: url("redis:", "rediss:"),
  DATABASE_POOL_MAX: wholeNumber(1, 200).default(8),
  /** Executions at once. Most tools wait for others more than they compute. */
  WORKER_CONCURRENCY: wholeNumber(1, 1_000).default(32),
  /** A process has about 100 MiB and runs one execution at a time; the least recently used idle one leaves first. Up to 4 more while tools wait for others. */
  SANDBOX_PROCESSES_MAX: wholeNumber(1, 1_000).default(16),
  /** Layers of the operating system that must hold the sandbox; the worker does not start without them. */
  SANDBOX_REQUIRE: z
    .string()
    .default("")
    .transform((text, context) => {
      const names = text.split(",").map((name) => name.trim());
      const unknown = names.filter((name) => name !== "" && !isSandboxLayer(name));
      if (unknown.length === 0) return names.filter(isSandboxLayer);
      const message = `no such layer: ${unknown.join(", ")}; there are ${SANDBOX_LAYERS.join(", ")}`;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }),
  /** Private hosts that tools may reach all the same. */
  EGRESS_ALLOW: z
    .string()
    .default("")
    .transform((text, context) => {
      const parsed = parseEgressAllow(text);
      if (parsed.ok) return parsed.rules;
      for (const message of parsed.faults) context.addIssue({ code: "custom", message });
      return z.NEVER;
    }),
  /** Where this process serves its metrics. */
  METRICS_HOST: z.string().default("127.0.0.1"),
  METRICS_PORT: port.default(9_465),
  LOG_LEVEL: logLevel.default("info"),
  /** How long running executions may go on after the order to stop, before they are handed back. */
  SHUTDOWN_GRACE_MS: wholeNumber(0, 600_000).default(5_000),
  BULKHEAD_WATCH_PARENT: z.enum(["0", "1"]).default("0"),
});

export type WorkerConfig = ReturnType<typeof readConfig>;

/** Throws a SettingsError that names every bad setting. */
export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(Settings, env);
