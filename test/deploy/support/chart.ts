import { globSync } from "node:fs";
import { basename } from "node:path";
import { parseAllDocuments } from "yaml";
import { read, readYaml, ROOT } from "./files.ts";
import { renderChart } from "./gotemplate/render.ts";

export const CHART = "deploy/helm/bulkhead";

export interface Container {
  name: string;
  image: string;
  args: string[];
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[];
  resources: { requests: object; limits: object };
  securityContext: {
    readOnlyRootFilesystem: boolean;
    allowPrivilegeEscalation: boolean;
    privileged: boolean;
    capabilities: { drop: string[]; add?: string[] };
    runAsUser?: number;
    seccompProfile?: { type: string; localhostProfile?: string };
  };
  startupProbe?: object;
  livenessProbe?: object;
  readinessProbe?: object;
}

/** As far as the tests look into it. */
export interface PodSpec {
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds: number;
  runtimeClassName?: string;
  hostUsers?: boolean;
  securityContext?: { runAsNonRoot: boolean; runAsUser: number; seccompProfile: { type: string } };
  topologySpreadConstraints?: { topologyKey: string }[];
  tolerations?: object[];
  containers: [Container];
}

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string>; labels: Record<string, string> };
  automountServiceAccountToken?: boolean;
  spec: {
    replicas?: number;
    selector?: { matchLabels: Record<string, string> };
    template: { metadata: { labels: Record<string, string> }; spec: PodSpec };
    policyTypes?: string[];
    egress?: { to: { ipBlock?: { cidr: string; except: string[] } }[]; ports: { port: number }[] }[];
    triggers?: { type: string; metadata: { query: string } }[];
    endpoints?: { relabelings: { action?: string; regex?: string; targetLabel?: string }[] }[];
    groups?: { name: string; rules: { record: string; expr: string; labels: Record<string, string> }[] }[];
  };
}

type Values = Record<string, unknown>;

export const defaults = (): Values => readYaml(`${CHART}/values.yaml`) as Values;

export const templates = new Map(
  globSync(`${CHART}/templates/*`, { cwd: ROOT })
    .sort()
    .map((file) => [basename(file), read(file)]),
);

/** Puts `over` on `under`, map by map, as Helm does with a file of values. */
export function overlay(under: Values, over: Values): Values {
  const isMap = (value: unknown): value is Values =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    [...new Set([...Object.keys(under), ...Object.keys(over)])].map((key) => {
      const [low, high] = [under[key], over[key]];
      if (!Object.hasOwn(over, key)) return [key, low];
      return [key, isMap(low) && isMap(high) ? overlay(low, high) : high];
    }),
  );
}

/** What an installation with these values over the defaults would create, and what it would say. */
export function install(values: Values, release = "blue"): { manifests: Manifest[]; notes: string } {
  const { name, version, appVersion } = readYaml(`${CHART}/Chart.yaml`) as Record<string, string>;
  const rendered = renderChart(templates, {
    Values: overlay(defaults(), values),
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Release: { Name: release, Namespace: "bulkhead", Service: "Helm" },
  });
  const notes = rendered.get("NOTES.txt") ?? "";
  rendered.delete("NOTES.txt");
  const manifests = [...rendered].flatMap(([file, text]) =>
    parseAllDocuments(text).flatMap((document) => {
      if (document.errors.length > 0) throw new Error(`${file}: ${document.errors.join("; ")}`);
      const manifest = document.toJS() as Manifest | null;
      return manifest === null ? [] : [manifest];
    }),
  );
  return { manifests, notes };
}
