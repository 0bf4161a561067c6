import { globSync } from "node:fs";
import { read, readYaml, ROOT } from "./files.ts";

interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  datasource?: { type: string; uid: string };
  gridPos: { x: number; y: number; w: number; h: number };
  fieldConfig?: { defaults: { unit: string } };
  targets?: { refId: string; expr: string; legendFormat: string }[];
}

export interface Dashboard {
  file: string;
  uid: string;
  title: string;
  description: string;
  editable: boolean;
  panels: Panel[];
}

export interface Alert {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
}

interface Recording {
  record: string;
  expr: string;
}

export const dashboards: Dashboard[] = globSync("deploy/grafana/dashboards/*.json", { cwd: ROOT })
  .sort()
  .map((file) => ({ file, ...JSON.parse(read(file)) }) as Dashboard);

const rules = <T>(file: string): T[] =>
  (readYaml(`deploy/prometheus/rules/${file}`) as { groups: { rules: T[] }[] }).groups.flatMap(
    (group) => group.rules,
  );

export const recordings = rules<Recording>("recording.yml");
export const alerts = rules<Alert>("alerts.yml");
