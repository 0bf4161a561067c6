import { parseEgressAllow } from "@bulkhead/egress/allow";
import {
  checkedUrl,
  databaseUrl,
  host,
  logLevel,
  masterKey,
  oldMasterKeys,
  otelMetricSettings,
  otelSettings,
  otelTraceSettings,
  port,
  ruleList,
  wholeNumber,
} from "@bulkhead/process/settings";
import { redisUrlFault } from "@bulkhead/redis/url";
import { z } from "zod";

/** A model's server: http or https, with nothing that belongs to one request. */
export const modelUrl = z
  .string()
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), "must be a URL with http or https")
  .refine((text) => {
    const { username = "", password = "", search = "", hash = "" } = URL.parse(text) ?? {};
    return [username, password, search, hash].every((part) => part === "");
  }, "must have no user, query or fragment: a tenant's key stands in its service `model` or `embeddings`");

/** Of a model, as its server knows it. */
export const modelName = z.string().min(1).max(200);

const SHARED = {
  DATABASE_URL: databaseUrl,
  REDIS_URL: checkedUrl(redisUrlFault),
  /** Group commit needs few connections; more would only compete for the same disk. */
  DATABASE_POOL_MAX: wholeNumber(1, 200).default(8),
  BULKHEAD_MASTER_KEY: masterKey,
  BULKHEAD_MASTER_KEY_OLD: oldMasterKeys,
  /** Parts of the dispatcher, the same in every process; each tenant's executions go through one of them. */
  DISPATCH_SHARDS: wholeNumber(1, 64).default(1),
  /** Private hosts that tools may reach all the same. The API refuses a callback that the workers would never let out. */
  EGRESS_ALLOW: ruleList(parseEgressAllow),
  /** Of an OpenAI-compatible API, as far as its version, and its model: vectors of memories. Without, words are hashed. */
  EMBEDDINGS_BASE_URL: modelUrl.optional(),
  EMBEDDINGS_MODEL: modelName.optional(),
  /** Each process serves its metrics here. */
  METRICS_HOST: host.default("127.0.0.1"),
  ...otelSettings,
  ...otelMetricSettings,
  ...otelTraceSettings,
  LOG_LEVEL: logLevel.default("info"),
  /** Requests that wait and executions that run may go on for so long after the order to stop; milliseconds. */
  SHUTDOWN_GRACE_MS: wholeNumber(0, 600_000).default(5_000),
  BULKHEAD_WATCH_PARENT: z.enum(["0", "1"]).default("0"),
};

/** Settings of which there are both or none. */
const PAIRS = [
  ["MODEL_BASE_URL", "MODEL_NAME"],
  ["EMBEDDINGS_BASE_URL", "EMBEDDINGS_MODEL"],
] as const;

/** The names of those. */
export const PAIRED_SETTINGS: readonly string[] = PAIRS.flat();

/** What a settings' schema refuses of those. */
export const pairFaults = (settings: Readonly<Record<string, unknown>>) =>
  PAIRS.flatMap(([one, other]) => {
    if ((settings[one] === undefined) === (settings[other] === undefined)) return [];
    const path = [settings[one] === undefined ? one : other];
    return [{ code: "custom" as const, path, message: "must be set where the other of the two is" }];
  });

/** The settings that the API and the worker share. */
export const platformSettings = (defaults: { metricsPort: number }) => ({
  ...SHARED,
  METRICS_PORT: port.default(defaults.metricsPort),
});

const Settings = z.object(platformSettings({ metricsPort: 0 }));
export type PlatformConfig = z.infer<typeof Settings>;
