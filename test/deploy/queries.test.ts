import { expect, test } from "vitest";
import { readYaml } from "./support/files.ts";
import { OF_OTHERS, readMetricTable, type Metric } from "./support/metric-table.ts";
import { parseQuery, type Selector } from "./support/promql.ts";
import { alerts, dashboards, recordings } from "./support/queries.ts";

const table = readMetricTable();
const recorded = new Map(recordings.map(({ record, expr }) => [record, expr]));
/** Put on by Prometheus when it scrapes, and by histograms. */
const ANYWHERE = ["job", "instance", "le"];

const queries: [where: string, expr: string][] = [
  ...recordings.map(({ record, expr }): [string, string] => [record, expr]),
  ...alerts.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...dashboards.flatMap(({ uid, panels }) =>
    panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr, refId }): [string, string] => [`${uid}: ${title} (${refId})`, expr]),
    ),
  ),
];

/** The metric that a name belongs to: a histogram's series end in what they hold. */
function metricOf(name: string): Metric | undefined {
  const whole = table.get(name) ?? OF_OTHERS.get(name);
  if (whole !== undefined) return whole.isHistogram ? undefined : whole;
  const histogram = table.get(name.replace(/_(bucket|sum|count)$/, ""));
  return histogram?.isHistogram ? histogram : undefined;
}

/** The labels that a selector may ask for. */
function labelsOf({ metric }: Selector): string[] {
  const expr = recorded.get(metric);
  if (expr !== undefined) return parseQuery(expr).groupedBy;
  return [...(metricOf(metric)?.labels.keys() ?? []), ...ANYWHERE];
}

test("there is a table, and much of it is looked at", () => {
  expect(table.size).toBeGreaterThan(25);
  expect(queries.length).toBeGreaterThan(90);
});

test.each(queries)("%s: is a query, of metrics and labels that exist", (_, expr) => {
  const { isSound, selectors, groupedBy } = parseQuery(expr);
  expect(isSound).toBe(true);
  expect(selectors.length).toBeGreaterThan(0);
  for (const selector of selectors) {
    const { metric, matchers } = selector;
    expect([metric, recorded.has(metric) || metricOf(metric) !== undefined]).toEqual([metric, true]);
    for (const { label } of matchers) expect(labelsOf(selector)).toContain(label);
  }
  const known = selectors.flatMap(labelsOf);
  for (const label of groupedBy) expect(known).toContain(label);
});

test.each(queries)("%s: asks for no value that its label never has", (_, expr) => {
  for (const { metric, matchers } of parseQuery(expr).selectors) {
    for (const { label, op, value } of matchers) {
      const values = metricOf(metric)?.labels.get(label) ?? "";
      // Where the table lists them; a reference to a list elsewhere has backticks or a path.
      if (op.endsWith("~") || values === "" || values.includes("`")) continue;
      expect(values.split(/, | \(/)).toContain(value);
    }
  }
});

test("a query with a wrong name, a wrong label or a fault would be found", () => {
  expect(parseQuery("sum by (").isSound).toBe(false);
  expect(metricOf("bulkhead_nothing_total")).toBeUndefined();
  expect(metricOf("bulkhead_dwell_seconds")).toBeUndefined();
  expect(labelsOf({ metric: "bulkhead_dwell_seconds_bucket", matchers: [] })).toEqual([
    "tenant",
    ...ANYWHERE,
  ]);
  expect(parseQuery('sum by (x) (a{b="c"})')).toMatchObject({
    groupedBy: ["x"],
    selectors: [{ metric: "a", matchers: [{ label: "b", op: "=", value: "c" }] }],
  });
});

test("what is recorded is used, and every recording has one name", () => {
  expect(recorded.size).toBe(recordings.length);
  const used = new Set(queries.flatMap(([, expr]) => parseQuery(expr).selectors.map(({ metric }) => metric)));
  expect([...recorded.keys()].filter((name) => !used.has(name))).toEqual([]);
});

test("dashboards have names of their own, no panel lies on another, and each asks the provisioned source", () => {
  expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length);
  expect(dashboards.map(({ uid }) => uid.replace("bulkhead-", ""))).toEqual([
    "egress",
    "overview",
    "queue",
    "sandbox",
    "tenants",
  ]);
  const sources = readYaml("deploy/grafana/provisioning/datasources/bulkhead.yaml") as {
    datasources: { uid: string; type: string }[];
  };
  const uids = sources.datasources.map(({ uid, type }) => `${type} ${uid}`);
  for (const { file, uid, panels, description, editable } of dashboards) {
    expect(file.endsWith(`/${uid}.json`)).toBe(true);
    expect([description.length > 0, editable]).toEqual([true, false]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (__, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
    for (const { type, datasource, fieldConfig } of panels) {
      if (type === "row") continue;
      expect(uids).toContain(`${datasource?.type} ${datasource?.uid}`);
      expect(fieldConfig?.defaults.unit).toBeTruthy();
    }
  }
});
