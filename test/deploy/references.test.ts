import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { readYaml, ROOT } from "./support/files.ts";

// Templates of the chart are no YAML before they are rendered.
const files = globSync(["docker-compose.yml", "deploy/**/*.{yml,yaml}"], { cwd: ROOT })
  .filter((file) => !file.includes("/templates/"))
  .sort();

/** Keys and values, wherever they stand. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsOf)];
}

/** Texts in which a `${` is not closed, or that end where one began. */
const tornOf = (value: unknown): string[] =>
  textsOf(value).filter((text) => /\$$|\$\{/.test(text.replaceAll(/\$\$|\$\{[^{}]*\}/g, "")));

test("all files are looked at", () => {
  expect(files).toEqual(
    expect.arrayContaining([
      "deploy/collector/collector.yaml",
      "deploy/helm/bulkhead/values.yaml",
      "deploy/prometheus/rules/alerts.yml",
      "docker-compose.yml",
    ]),
  );
});

test.each(files)("%s: every ${…} is one text", (file) => {
  expect(tornOf(readYaml(file))).toEqual([]);
});

test("one that a formatter took apart is found", () => {
  // As YAML reads `percent: $, { env:NAME }`.
  expect(tornOf({ share: { percent: "$", "{ env:NAME }": null } })).toEqual(["$"]);
  expect(tornOf(["${env:NAME}", "${NAME", "$$NAME"])).toEqual(["${NAME"]);
});
