import { AUDIT_RETENTION_DAYS_MIN, isSandboxLayer, RETENTION_DAYS_MAX, SANDBOX_LAYERS } from "@bulkhead/core";
import { PAIRED_SETTINGS, pairFaults, platformSettings } from "@bulkhead/platform/settings";
import { otelEnvironment, readSettings, ruleList, whereGood, wholeNumber } from "@bulkhead/process/settings";
import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { z } from "zod";
import { checkImages, checkSpeech, imageSettings, speechSettings } from "./media-settings.ts";
import { checkSearch, searchSettings } from "./search-settings.ts";
import { readShownTenants } from "./metrics/shown-tenants.ts";
import { processesDefault } from "./processes-default.ts";

const workerName = z
  .string()
  .regex(
    /^wrk_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    "must be wrk_ and a UUID that no worker had before",
  );

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isAbsolute(path) && statSync(path).isFile();
  } catch {
    return false;
  }
}

const Settings = z.object({
  ...platformSettings({ metricsPort: 9_465 }),
  /** Executions at once. Most tools wait for others more than they compute. */
  WORKER_CONCURRENCY: wholeNumber(1, 1_000).default(32),
  /** A process has about 100 MiB and runs one execution at a time; the least recently used idle one leaves first. Up to 4 more while tools wait for others. */
  SANDBOX_PROCESSES_MAX: wholeNumber(1, 1_000).default(() => processesDefault()),
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
  /** Tenants whose waits have a label of their own; labels for thousands of tenants would drown the others. */
  METRICS_TENANTS: ruleList(readShownTenants),
  ...searchSettings,
  ...imageSettings,
  ...speechSettings,
  /** Chromium, by an absolute path, for the tool `browser`; unset: the first of usual names on the PATH. */
  CHROMIUM: z
    .string()
    .refine(isProgram, "must be a program that this process may run, by its absolute path")
    .optional(),
  PATH: z.string().default(""),
  /** Ended executions are kept so long, by whole weeks. */
  RETENTION_DAYS: wholeNumber(1, RETENTION_DAYS_MAX).default(90),
  /**
   * Logs of executions are kept so many days if neither tool nor tenant sets a retention, and no longer than the
   * executions; 0: for an hour.
   */
  LOG_RETENTION_DAYS: wholeNumber(0, RETENTION_DAYS_MAX).default(30),
  /** The audit log is kept so long. */
  AUDIT_RETENTION_DAYS: wholeNumber(AUDIT_RETENTION_DAYS_MIN, 3_650).default(400),
  /** The supervisor's name for this process, another one each time; without one it names itself. */
  BULKHEAD_WORKER_ID: workerName.optional(),
  /** Names of workers whose end the supervisor has seen. If such a worker still lived, its runs would run twice. */
  BULKHEAD_DEAD_WORKERS: z
    .string()
    .default("")
    .transform((text) => text.split(",").filter((name) => name !== ""))
    .pipe(z.array(workerName)),
});

/** A worker that reclaimed its own attempts would run them twice. */
const WorkerSettings = Settings.superRefine(checkSearch, whereGood(Object.keys(searchSettings)))
  .superRefine(checkImages, whereGood(Object.keys(imageSettings)))
  .superRefine(checkSpeech, whereGood(Object.keys(speechSettings)))
  .refine(
    ({ BULKHEAD_WORKER_ID: own, BULKHEAD_DEAD_WORKERS: dead }) => own === undefined || !dead.includes(own),
    {
      path: ["BULKHEAD_DEAD_WORKERS"],
      message: "names this worker itself; give each start another BULKHEAD_WORKER_ID",
      ...whereGood(["BULKHEAD_WORKER_ID", "BULKHEAD_DEAD_WORKERS"]),
    },
  )
  .superRefine((settings, context) => {
    for (const issue of pairFaults(settings)) context.addIssue(issue);
  }, whereGood(PAIRED_SETTINGS));

export type WorkerConfig = ReturnType<typeof readConfig>;

/** Throws a SettingsError that names every bad setting. */
export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(WorkerSettings, otelEnvironment(env));
