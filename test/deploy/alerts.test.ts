import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { read, readYaml, ROOT } from "./support/files.ts";
import { alerts } from "./support/queries.ts";

const runbook = read("deploy/RUNBOOK.md");
/** Of what logs in a worker. */
const sources = globSync("{apps/worker,libs/executions,libs/platform,libs/redis}/src/**/*.ts", { cwd: ROOT })
  .filter((file) => !file.endsWith(".test.ts"))
  .map(read);
const anchors = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-"),
);

test.each(alerts.map((alert) => [alert.alert, alert] as const))(
  "%s says what is wrong and where it stands what to do",
  (name, { labels, annotations }) => {
    expect(["page", "ticket"]).toContain(labels.severity);
    expect(annotations.summary.length).toBeGreaterThan(10);
    expect(annotations.description.length).toBeGreaterThan(20);
    expect(annotations.runbook_url).toBe(`deploy/RUNBOOK.md#${name.toLowerCase()}`);
    expect(anchors).toContain(name.toLowerCase());
  },
);

test("the runbook tells of no alert that there is not, and of each what to do", () => {
  const section = runbook.split("\n## Alerts\n")[1]?.split("\n## ")[0] ?? "";
  const told = section.split("\n### ").slice(1);
  expect(told.map((text) => text.split("\n")[0])).toEqual(alerts.map(({ alert }) => alert));
  for (const text of told) expect(text).toContain("**Do**");
});

test("what the runbook bids to look for in a worker's log is what a worker logs", () => {
  const [, text = ""] = /### WorkersMakeNoProgress\n([^]*?)\n###/.exec(runbook) ?? [];
  const quoted = [...text.matchAll(/`([^`]+)`/g)].map(([, words = ""]) => words);
  expect(quoted.length).toBeGreaterThan(3);
  for (const words of quoted) {
    const repeated = `new Repeating("${words.replace(/ failed$/, "")}"`;
    expect([
      words,
      sources.some((source) => [`"${words}"`, repeated].some((code) => source.includes(code))),
    ]).toEqual([words, true]);
  }
});

test("alerts have names of their own", () => {
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
});

test("each alert on the error budget looks at a long and at a short window", () => {
  const burning = alerts.filter(({ alert }) => alert.startsWith("SyncErrorBudget"));
  expect(burning).toHaveLength(2);
  for (const { expr } of burning)
    for (const pair of expr.split("\nor\n")) {
      const windows = [...pair.matchAll(/rate(\d+[mhd]) > \(([\d.]+) \* 0\.001\)/g)];
      expect(windows).toHaveLength(2);
      expect(windows[0]?.[2]).toBe(windows[1]?.[2]);
      expect(windows[0]?.[1]).not.toBe(windows[1]?.[1]);
    }
});

test("everything that has a port for it is scraped, by the jobs that alerts name", () => {
  const { scrape_configs } = readYaml("deploy/prometheus/prometheus.yml") as {
    scrape_configs: { job_name: string }[];
  };
  expect(scrape_configs.map(({ job_name }) => job_name)).toEqual(
    expect.arrayContaining(["bulkhead-api", "bulkhead-worker", "collector", "redis", "tempo"]),
  );
});
