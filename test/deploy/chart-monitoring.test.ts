import { isSandboxLayer } from "@bulkhead/core";
import { expect, test } from "vitest";
import { defaults, install, type Manifest } from "./support/chart.ts";
import { read } from "./support/files.ts";
import { readMetricTable } from "./support/metric-table.ts";
import { parseQuery } from "./support/promql.ts";
import { alerts } from "./support/queries.ts";

type Worker = Record<"sandboxRequire" | "sandboxAccept", string[]>;

const watched = { existingSecret: "bulkhead-secrets", serviceMonitor: { enabled: true } };
const ofKind = (kind: string, values: object = watched): Manifest[] =>
  install({ ...values }).manifests.filter((one) => one.kind === kind);

/** What the Prometheus operator puts on every target of a ServiceMonitor. */
const OF_TARGETS = ["namespace", "service", "pod", "container", "endpoint"];

test("no label of a metric is renamed for one of its target", () => {
  const own = new Set([...readMetricTable().values()].flatMap(({ labels }) => [...labels.keys()]));
  const taken = OF_TARGETS.filter((label) => own.has(label));
  expect(taken).toContain("service");
  const monitors = ofKind("ServiceMonitor");
  expect(monitors).toHaveLength(2);
  for (const { spec } of monitors) {
    const relabelings = spec.endpoints?.[0]?.relabelings ?? [];
    const dropped = relabelings.filter(({ action }) => action === "labeldrop").map(({ regex }) => regex);
    expect(dropped).toEqual(taken);
  }
});

const accepted = (values?: object): string[] =>
  ofKind("PrometheusRule", values).flatMap(({ spec }) =>
    (spec.groups ?? []).flatMap(({ rules }) => rules.map(({ labels }) => labels["layer"] ?? "")),
  );

test("a layer that is accepted is no SandboxLayerMissing, and no other is silenced", () => {
  const { expr = "" } = alerts.find(({ alert }) => alert === "SandboxLayerMissing") ?? {};
  const [rule] = ofKind("PrometheusRule");
  for (const { record, expr: value } of rule?.spec.groups?.[0]?.rules ?? []) {
    expect(expr).toBe(`min by (layer) (bulkhead_sandbox_layer) == 0 unless on (layer) ${record}`);
    expect(parseQuery(value).isSound).toBe(true);
    expect(read("deploy/RUNBOOK.md")).toContain(`{ record: ${record}, expr: ${value}, labels:`);
  }
  expect(accepted({ ...watched, worker: { sandboxAccept: ["landlock"] } })).toEqual(["landlock"]);
  expect(accepted({ ...watched, worker: { sandboxAccept: [] } })).toEqual([]);
});

test("accepted by default is what the worker's rights can't bring, by the README's table, and no more", () => {
  const table = read("deploy/README.md").split("| layers it brings |\n| --- | --- |\n")[1] ?? "";
  const cells = (table.split("\n\n")[0] ?? "").split("\n").map((row) => row.split(" | ")[1] ?? "");
  // Behind a semicolon and in parentheses stands what else it takes.
  const [plain = [], root = [], ...more] = cells.map((cell) =>
    (cell.split(/[;(]/)[0] ?? "").split(/[ ,]+/).filter(isSandboxLayer),
  );
  const { sandboxRequire, sandboxAccept } = defaults()["worker"] as Worker;
  expect(sandboxAccept).toEqual(more.flat());
  expect(accepted()).toEqual(sandboxAccept);
  expect([...plain, ...root]).toEqual(expect.arrayContaining(sandboxRequire));
});
