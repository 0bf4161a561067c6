import { SANDBOX_LAYERS } from "@bulkhead/core";
import { expect, test } from "vitest";
import { CHART, defaults, templates } from "./support/chart.ts";
import { read } from "./support/files.ts";
import { faultsOf, isValid } from "./support/values.ts";

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  items?: Schema & { enum?: string[] };
}
const schema = JSON.parse(read(`${CHART}/values.schema.json`)) as Schema;

/** Every `.Values.a.b` of the templates, also by way of `$`. */
const used = new Set(
  [...templates.values()].flatMap((text) =>
    [...text.matchAll(/\.Values\.([A-Za-z0-9.]+)/g)].map(([, path = ""]) => path.replace(/\.$/, "")),
  ),
);

const at = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);

test("the defaults are valid by the schema", () => {
  expect(faultsOf({})).toEqual([]);
});

test.each<[string, Record<string, unknown>]>([
  ["an unknown value", { wroker: {} }],
  ["an unknown value inside", { worker: { concurency: 3 } }],
  ["a digest that is none", { image: { digest: "sha256:abc" } }],
  ["a layer that there is not", { worker: { sandboxRequire: ["moat"] } }],
  ["a grace shorter than a run", { worker: { shutdownGraceSeconds: 60 } }],
  ["a capability that no layer takes", { worker: { capabilities: ["NET_ADMIN"] } }],
  ["no peers, which would be everyone", { networkPolicy: { redis: { to: [] } } }],
  ["no ports, which would be all", { networkPolicy: { redis: { ports: [] } } }],
  ["one port for a list", { networkPolicy: { redis: { port: 6379 } } }],
  ["a number as text", { api: { replicas: "2" } }],
])("%s is refused", (_, values) => {
  expect(isValid(values)).toBe(false);
});

test("every value that a template uses has a default and a schema", () => {
  expect(used.size).toBeGreaterThan(30);
  for (const path of used) {
    expect([path, at(defaults(), path) !== undefined]).toEqual([path, true]);
    expect([path, at(schema.properties, path.replaceAll(".", ".properties.")) !== undefined]).toEqual([
      path,
      true,
    ]);
  }
});

test("every value is used by a template", () => {
  // `networkPolicy` and what goes into a helper as a whole are used by way of a variable.
  const text = [...templates.values()].join("\n");
  for (const [group, values] of Object.entries(defaults())) {
    const names = typeof values === "object" && values !== null ? Object.keys(values) : [];
    for (const name of names)
      expect([`${group}.${name}`, text.includes(`.${name}`)]).toEqual([`${group}.${name}`, true]);
  }
});

test("the schema allows nothing that it does not name, and knows every layer", () => {
  const open: string[] = [];
  const walk = (part: Schema, path: string): void => {
    if (part.properties !== undefined && part.additionalProperties !== false) open.push(path);
    for (const [name, inner] of Object.entries(part.properties ?? {})) walk(inner, `${path}.${name}`);
  };
  walk(schema, "");
  expect(open).toEqual([]);
  const layers = schema.properties?.["worker"]?.properties?.["sandboxRequire"]?.items?.enum;
  expect([...(layers ?? [])].sort()).toEqual([...SANDBOX_LAYERS].sort());
});
