import { existsSync } from "node:fs";
import { join } from "node:path";
import { RUN_LIMITS_MAX } from "@bulkhead/core";
import { pushPlan } from "@bulkhead/process/telemetry";
import { expect, test } from "vitest";
import { readConfig as readApiConfig } from "../../apps/api/src/config.ts";
import { readConfig as readWorkerConfig } from "../../apps/worker/src/config.ts";
import { composeVariables, readCompose, type Service } from "./support/compose.ts";
import { read, ROOT } from "./support/files.ts";
import { isOpenTelemetrys, SECRETS, settingsOf } from "./support/settings.ts";

const { services, networks, volumes } = readCompose(SECRETS);
const each = Object.entries(services);
const service = (name: string): Service => services[name] as Service;
const seconds = (text = ""): number => Number(/^(\d+)s$/.exec(text)?.[1]);

/** Their images hold nothing that could ask; Prometheus does, and TargetDown tells. `migrate` ends by itself. */
const WITHOUT_HEALTH_CHECK = ["migrate", "collector", "tempo"];

/** As the runbook's sizing counts connections: pools of a process, and connections for migrations, backups and people. */
const POOLS_OF_A_PROCESS = 2;
const CONNECTIONS_BESIDE = 20;

const textsOf = (environment: Service["environment"] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, String(value)]));

test.each(each)("%s can write nowhere but where it must, and gain nothing", (name, its) => {
  expect(its.read_only).toBe(true);
  expect(its.privileged).toBeUndefined();
  expect(its.cap_drop).toEqual(["ALL"]);
  expect(its.security_opt).toContain("no-new-privileges:true");
  expect(its.cap_add ?? []).toEqual(name === "worker" ? ["SETUID", "SETGID", "SETPCAP", "KILL"] : []);
  expect(its.user === "0:0").toBe(name === "worker");
});

test.each(each)("%s has bounds, a pinned image and a health check", (name, its) => {
  expect(its.mem_limit).toMatch(/^\d+[mg]$/);
  expect(its.cpus).toBeGreaterThan(0);
  expect(its.pids_limit).toBeGreaterThan(0);
  expect(its.image).toMatch(/^[a-z/.-]+:v?\d[\w.-]*$/);
  expect(its.restart).toBe(name === "migrate" ? "no" : "unless-stopped");
  expect(its.healthcheck === undefined).toBe(WITHOUT_HEALTH_CHECK.includes(name));
});

test("ports are published on the loopback address only, and never a store's", () => {
  const published = each.flatMap(([name, { ports = [] }]) => ports.map((port) => ({ name, port })));
  expect(published.map(({ name }) => name)).toEqual(["api", "prometheus", "grafana"]);
  for (const { port } of published) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
});

test("stores and telemetry have no way out, and what has one is no neighbour of what is published", () => {
  expect(networks["stores"]?.internal).toBe(true);
  expect(networks["telemetry"]?.internal).toBe(true);
  const outside = each.filter(([, its]) => its.networks?.includes("egress")).map(([name]) => name);
  expect(outside).toEqual(["worker"]);
  expect(service("worker").networks).not.toContain("edge");
  for (const store of ["postgres", "redis"]) expect(service(store).networks).toEqual(["stores"]);
});

test("every secret has to be given, by a name that says what it is", () => {
  const required = [...composeVariables()].filter(([, isRequired]) => isRequired).map(([name]) => name);
  expect(required.sort()).toEqual(Object.keys(SECRETS).sort());
  for (const name of required)
    expect(() => readCompose({ ...SECRETS, [name]: "" })).toThrow(new RegExp(`^${name}: .+`));
});

test("the example of the environment names variables that exist, and leaves no required one out", () => {
  const named = [...read("deploy/compose.env.example").matchAll(/^(# )?([A-Z_]+)=(.*)$/gm)];
  const known = composeVariables();
  for (const [, comment, name = "", value] of named) {
    expect([...known.keys()]).toContain(name);
    expect(comment === undefined).toBe(known.get(name));
    if (comment === undefined) expect(value).toBe("");
  }
  expect(named.filter(([, comment]) => comment === undefined)).toHaveLength(Object.keys(SECRETS).length);
});

test.each(["api", "worker"])(
  "every setting of the %s is one that it reads, with a value that it takes",
  (name) => {
    const env = textsOf(service(name).environment);
    const known = settingsOf(name);
    expect(Object.keys(env).filter((key) => !known.has(key) && !isOpenTelemetrys(key))).toEqual([]);
    expect(() => (name === "api" ? readApiConfig(env) : readWorkerConfig(env))).not.toThrow();
  },
);

test("API and worker agree on what has to be the same in every process", () => {
  const [api, worker] = ["api", "worker"].map((name) => service(name).environment ?? {});
  for (const key of ["DATABASE_URL", "REDIS_URL", "BULKHEAD_MASTER_KEY", "DISPATCH_SHARDS", "EGRESS_ALLOW"])
    expect(api?.[key]).toBe(worker?.[key]);
});

test.each(["api", "worker"])(
  "%s: spans go to the collector, and metrics only to who scrapes them",
  (name) => {
    const env = textsOf(service(name).environment);
    const config = name === "api" ? readApiConfig(env) : readWorkerConfig(env);
    expect(config.OTEL_EXPORTER_OTLP_ENDPOINT?.reveal()).toBe("http://collector:4318");
    expect(config.OTEL_TRACES_EXPORTER).toBe("otlp");
    expect(pushPlan(config)).toBeNull();
  },
);

test.each([
  [{}, 8, 100],
  [{ DATABASE_POOL_MAX: "20", POSTGRES_CONNECTIONS_MAX: "140" }, 20, 140],
])("PostgreSQL has connections for every pool, and both can be set: %j", (given, poolMax, connectionsMax) => {
  const { api, worker, postgres } = readCompose({ ...SECRETS, ...given }).services;
  const processes = 1 + (worker?.deploy?.replicas ?? 0);
  expect([api, worker].map((its) => Number(its?.environment?.["DATABASE_POOL_MAX"]))).toEqual([
    poolMax,
    poolMax,
  ]);
  expect(postgres?.command).toContain(`max_connections=${connectionsMax}`);
  expect(connectionsMax).toBeGreaterThanOrEqual(
    processes * POOLS_OF_A_PROCESS * poolMax + CONNECTIONS_BESIDE,
  );
});

test("a worker is given longer to stop than the longest run takes", () => {
  const { environment, stop_grace_period, deploy } = service("worker");
  const graceMs = Number(environment?.["SHUTDOWN_GRACE_MS"]);
  expect(graceMs).toBeGreaterThanOrEqual(RUN_LIMITS_MAX.wallMs);
  expect(seconds(stop_grace_period)).toBeGreaterThan(graceMs / 1_000);
  expect(deploy?.replicas).toBe(2);
});

test("Redis forgets nothing in silence", () => {
  const command = service("redis").command?.join(" ");
  expect(command).toContain("--maxmemory-policy noeviction");
  expect(command).toContain("--appendonly yes");
});

test("nothing serves before the migrations are applied", () => {
  for (const name of ["api", "worker"])
    expect(service(name).depends_on?.["migrate"]?.condition).toBe("service_completed_successfully");
});

test("what is mounted exists", () => {
  const mounts = each.flatMap(([, its]) => (its.volumes ?? []).map((volume) => volume.split(":")));
  for (const [from = "", , mode] of mounts) {
    if (!from.startsWith("./")) expect(Object.keys(volumes)).toContain(from);
    else expect([from, existsSync(join(ROOT, from)), mode]).toEqual([from, true, "ro"]);
  }
});
