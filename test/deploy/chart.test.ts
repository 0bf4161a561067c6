import { readConfig as readApiConfig } from "../../apps/api/src/config.ts";
import { readConfig as readWorkerConfig } from "../../apps/worker/src/config.ts";
import { RUN_LIMITS_MAX, SANDBOX_LAYERS } from "@bulkhead/core";
import { expect, test } from "vitest";
import { CHART, install, type Container, type Manifest, type PodSpec } from "./support/chart.ts";
import { read, readYaml } from "./support/files.ts";
import { parseQuery } from "./support/promql.ts";
import { readMetricTable } from "./support/metric-table.ts";
import { isOpenTelemetrys, SECRETS, settingsOf } from "./support/settings.ts";

const plain = { existingSecret: "bulkhead-secrets" };
const full = {
  ...plain,
  image: { digest: `sha256:${"a".repeat(64)}`, pullSecrets: [{ name: "registry" }] },
  settings: { otlpEndpoint: "http://collector:4318" },
  worker: {
    runtimeClassName: "gvisor",
    hostUsers: false,
    metricsTenants: [`ten_${"1".repeat(16)}`, `ten_${"2".repeat(16)}`],
    seccompProfile: { type: "Localhost", localhostProfile: "bulkhead/worker.json" },
    tolerations: [{ key: "sandboxes", operator: "Exists" }],
  },
  keda: { enabled: true },
  serviceMonitor: { enabled: true },
};

const find = ({ manifests }: ReturnType<typeof install>, kind: string, name: string): Manifest => {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === `blue-bulkhead${name}`);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
};
const pod = (installed: ReturnType<typeof install>, component: string): PodSpec =>
  find(installed, component === "migrate" ? "Job" : "Deployment", `-${component}`).spec.template.spec;
const container = (component: string, values: object = plain): Container =>
  pod(install({ ...values }), component).containers[0];

test("it renders with the defaults and with everything on, and no two objects are the same", () => {
  for (const [values, kinds] of [
    [plain, ["Deployment", "Job", "NetworkPolicy", "PodDisruptionBudget", "Service", "ServiceAccount"]],
    [full, ["PrometheusRule", "ScaledObject", "ServiceMonitor"]],
  ] as const) {
    const { manifests } = install(values);
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(manifests.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...kinds]));
    for (const { metadata } of manifests) expect(metadata.labels["app.kubernetes.io/instance"]).toBe("blue");
  }
});

test("without a secret's name nothing is installed, and it is said which", () => {
  expect(() => install({})).toThrow(/existingSecret must name the Secret with DATABASE_URL/);
});

test.each(["api", "worker", "migrate"])("%s: hardened, bounded, without a token", (component) => {
  const spec = pod(install(plain), component);
  const { securityContext, resources, args } = spec.containers[0];
  expect(args).toEqual([component]);
  expect(spec.automountServiceAccountToken).toBe(false);
  expect(securityContext).toMatchObject({
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    privileged: false,
  });
  expect(securityContext.capabilities.drop).toEqual(["ALL"]);
  expect(Object.keys(resources.limits)).toEqual(["cpu", "memory"]);
  expect((securityContext.seccompProfile ?? spec.securityContext?.seccompProfile)?.type).toBe(
    "RuntimeDefault",
  );
  if (component === "worker") {
    expect(securityContext.runAsUser).toBe(0);
    expect(securityContext.capabilities.add).toEqual(["SETUID", "SETGID", "SETPCAP", "KILL"]);
  } else {
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 });
    expect(securityContext.capabilities.add).toBeUndefined();
  }
});

test.each(["api", "worker"])(
  "%s: every setting is one that it reads, with a value that it takes",
  (component) => {
    for (const values of [plain, full]) {
      const { env } = container(component, values);
      const stores = {
        DATABASE_URL: "postgres://a:b@c/d",
        REDIS_URL: "redis://c:6379",
        BULKHEAD_MASTER_KEY_OLD: "",
      };
      const secrets: Record<string, string> = { ...SECRETS, ...stores };
      const known = settingsOf(component);
      for (const { name, valueFrom } of env) {
        expect([name, known.has(name) || isOpenTelemetrys(name)]).toEqual([name, true]);
        if (valueFrom !== undefined)
          expect(valueFrom.secretKeyRef).toMatchObject({ name: "bulkhead-secrets", key: name });
      }
      const settings = Object.fromEntries(env.map(({ name, value }) => [name, value ?? secrets[name]]));
      expect(() =>
        component === "api" ? readApiConfig(settings) : readWorkerConfig(settings),
      ).not.toThrow();
      expect(
        env.filter(({ value }) => value !== undefined && Object.values(secrets).includes(value) && value),
      ).toEqual([]);
    }
  },
);

test.each(["api", "worker"])(
  "%s: spans go where the values say, and metrics only to who scrapes them",
  (component) => {
    const telemetry = (values: object) =>
      Object.fromEntries(
        container(component, values)
          .env.filter(({ name }) => name.startsWith("OTEL_"))
          .map(({ name, value }) => [name, value]),
      );
    const service = { OTEL_SERVICE_NAME: `bulkhead-${component}` };
    expect(telemetry(plain)).toEqual(service);
    expect(telemetry(full)).toEqual({
      ...service,
      OTEL_EXPORTER_OTLP_ENDPOINT: full.settings.otlpEndpoint,
      OTEL_METRICS_EXPORTER: "none",
    });
  },
);

test("a worker is given longer to stop than the longest run takes, whatever the values are", () => {
  const { properties } = JSON.parse(read(`${CHART}/values.schema.json`)).properties.worker;
  const secondsMin: number = properties.shutdownGraceSeconds.minimum;
  expect(secondsMin).toBe(RUN_LIMITS_MAX.wallMs / 1_000);
  for (const shutdownGraceSeconds of [secondsMin, 600]) {
    const spec = pod(install({ ...plain, worker: { shutdownGraceSeconds } }), "worker");
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(shutdownGraceSeconds);
    const grace = spec.containers[0].env.find(({ name }) => name === "SHUTDOWN_GRACE_MS");
    expect(grace?.value).toBe(String(shutdownGraceSeconds * 1_000));
  }
});

test.each(["api", "worker"])("%s: probed, spread, and protected from drains", (component) => {
  const installed = install(plain);
  const spec = pod(installed, component);
  const { startupProbe, livenessProbe, readinessProbe } = spec.containers[0];
  for (const probe of [startupProbe, livenessProbe, readinessProbe]) expect(probe).toBeDefined();
  expect(spec.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey)).toEqual([
    "topology.kubernetes.io/zone",
    "kubernetes.io/hostname",
  ]);
  const labels = find(installed, "Deployment", `-${component}`).spec.template.metadata.labels;
  for (const kind of ["PodDisruptionBudget", "Deployment"])
    expect(labels).toMatchObject(
      find(installed, kind, `-${component}`).spec.selector?.matchLabels ?? { none: true },
    );
});

test("migrations run before anything of the new version", () => {
  const { metadata } = find(install(plain), "Job", "-migrate");
  expect(metadata.annotations?.["helm.sh/hook"]).toBe("pre-install,pre-upgrade");
});

test("only workers reach the outside, and nothing private of it", () => {
  const installed = install(plain);
  const blocks = (component: string) =>
    (find(installed, "NetworkPolicy", `-${component}`).spec.egress ?? []).flatMap(({ to }) =>
      to.flatMap(({ ipBlock }) => (ipBlock === undefined ? [] : [ipBlock])),
    );
  expect(blocks("api")).toEqual([]);
  expect(blocks("migrate")).toEqual([]);
  const [v4, v6] = blocks("worker");
  expect(v4).toMatchObject({ cidr: "0.0.0.0/0" });
  expect(v4?.except).toEqual(
    expect.arrayContaining([
      "10.0.0.0/8",
      "127.0.0.0/8",
      "169.254.0.0/16",
      "172.16.0.0/12",
      "192.168.0.0/16",
    ]),
  );
  expect(v6?.except).toEqual(expect.arrayContaining(["fc00::/7", "fe80::/10"]));
  for (const component of ["api", "worker", "migrate"]) {
    const { policyTypes, egress = [] } = find(installed, "NetworkPolicy", `-${component}`).spec;
    expect(policyTypes).toEqual(["Ingress", "Egress"]);
    // An empty list of peers or ports would mean every one.
    for (const { to, ports } of egress) expect(Math.min(to.length, ports.length)).toBeGreaterThan(0);
  }
});

test("the API reaches a model where it is given one, and workers don't", () => {
  const api = { modelBaseUrl: "https://models.example/v1", modelName: "small" };
  const model = { ports: [8443], to: [{ ipBlock: { cidr: "203.0.113.7/32" } }] };
  const rule = { to: model.to, ports: [{ protocol: "TCP", port: 8443 }] };
  const egressOf = (values: object, component: string) =>
    find(install({ ...plain, networkPolicy: { model }, ...values }), "NetworkPolicy", `-${component}`).spec
      .egress;
  expect(egressOf({ api }, "api")).toContainEqual(rule);
  expect(egressOf({ api }, "worker")).not.toContainEqual(rule);
  expect(egressOf({}, "api")).not.toContainEqual(rule);
});

test("API and workers reach the embeddings where they are given some, and migrations don't", () => {
  const settings = { embeddingsBaseUrl: "https://models.example/v1", embeddingsModel: "small" };
  const embeddings = { ports: [8443], to: [{ ipBlock: { cidr: "203.0.113.8/32" } }] };
  const rule = { to: embeddings.to, ports: [{ protocol: "TCP", port: 8443 }] };
  const installed = install({ ...plain, networkPolicy: { embeddings }, settings });
  const egressOf = (component: string) => find(installed, "NetworkPolicy", `-${component}`).spec.egress;
  expect(egressOf("api")).toContainEqual(rule);
  expect(egressOf("worker")).toContainEqual(rule);
  expect(egressOf("migrate")).not.toContainEqual(rule);
});

test("Sentinels and the nodes of a cluster are reached on each of their ports", () => {
  const redis = { ports: [6379, 26379], to: [{ podSelector: { matchLabels: { role: "redis" } } }] };
  const installed = install({ ...plain, networkPolicy: { redis } });
  const rule = { to: redis.to, ports: redis.ports.map((port) => ({ protocol: "TCP", port })) };
  for (const component of ["api", "worker"])
    expect(find(installed, "NetworkPolicy", `-${component}`).spec.egress).toContainEqual(rule);
  expect(find(installed, "NetworkPolicy", "-migrate").spec.egress).not.toContainEqual(rule);
});

test("with everything on: a kernel of its own, the digest, own users, and KEDA instead of a number", () => {
  const installed = install(full);
  const spec = pod(installed, "worker");
  expect(spec).toMatchObject({
    runtimeClassName: "gvisor",
    hostUsers: false,
    tolerations: full.worker.tolerations,
  });
  expect(spec.containers[0].image).toBe(`bulkhead@${full.image.digest}`);
  expect(spec.containers[0].securityContext.seccompProfile).toEqual(full.worker.seccompProfile);
  expect(find(installed, "Deployment", "-worker").spec.replicas).toBeUndefined();
  expect(find(install(plain), "Deployment", "-worker").spec.replicas).toBe(2);
  expect(pod(install(plain), "worker")).not.toHaveProperty("hostUsers");
});

test("KEDA asks for what is exported", () => {
  const triggers = find(install(full), "ScaledObject", "-worker").spec.triggers ?? [];
  const used = triggers.flatMap(({ metadata }) => {
    const { isSound, selectors } = parseQuery(metadata.query);
    expect(isSound).toBe(true);
    return selectors.map(({ metric }) => metric.replace(/_bucket$/, ""));
  });
  expect(used).toEqual(
    expect.arrayContaining(["bulkhead_startable_executions", "bulkhead_startable_wait_seconds"]),
  );
  // It holds what tenants wait for at caps and rates of their own, which no worker more would shorten.
  expect(used).not.toContain("bulkhead_dwell_seconds");
  for (const metric of used) expect([...readMetricTable().keys()]).toContain(metric);
});

test("the notes say what is not protected", () => {
  expect(install(plain).notes).toContain("No network namespace around sandboxes is required");
  const required = { sandboxRequire: [...SANDBOX_LAYERS] };
  expect(install({ ...plain, worker: required }).notes).not.toContain("No network namespace");
  expect(install({ ...plain, networkPolicy: { enabled: false } }).notes).toContain(
    "Network policies are off",
  );
});

test("the chart is the product's version", () => {
  const { version } = JSON.parse(read("package.json"));
  expect(readYaml(`${CHART}/Chart.yaml`)).toMatchObject({ version, appVersion: version });
});
