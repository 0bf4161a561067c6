import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { importsOf, isTest, packages, products, root, sources, type Package } from "./support/house.ts";

const USE_CASES = ["executions", "tools", "tenants", "agents"];
const ADAPTERS = ["sandbox", "egress", "scrub", "postgres", "redis"];

/**
 * The layout: every package, and what each may import. Imports point down, in no circle. Use cases never see an adapter: the
 * ports are interfaces in the core, and each app's main.ts marries the two.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: [],
  process: ["core"],
  contracts: ["core"],
  sandbox: ["core", "process"],
  egress: ["core", "process"],
  scrub: ["core", "process", "sandbox"],
  postgres: ["core", "process"],
  redis: ["core", "process"],
  tools: ["core", "contracts", "process", "sandbox"],
  tenants: ["core", "contracts", "process", "tools"],
  executions: ["core", "contracts", "process", "sandbox", "tenants", "tools"],
  agents: ["core", "contracts", "process", "tools"],
  platform: ["core", "egress", "executions", "postgres", "process", "redis", "tenants"],
  standalone: ["core", "postgres", "process", "redis", "tenants"],
  // Test support starts the real stores and migrates them.
  testing: ["core", "postgres", "process", "redis", "standalone"],
  "rotate-keys": ["core", "postgres", "process", "tenants"],
  api: ["core", "contracts", "platform", "process", ...USE_CASES, ...ADAPTERS],
  worker: ["core", "contracts", "platform", "process", ...USE_CASES, ...ADAPTERS],
};

/** Of the sandbox, all but the worker see only the wire: what may stand in a frame. */
const SEE_ONLY_THE_WIRE = ["scrub", ...USE_CASES];

const PACKAGES_MAX = 24;

/** What must stay in one place, and the places where it may be. */
const ONLY_IN: { what: RegExp; where: RegExp; why: string }[] = [
  {
    what: /from "isolated-vm"/,
    where: /^libs\/sandbox\/src\/process\//,
    why: "only the sandbox process runs tenant code",
  },
  {
    what: /from "(@prisma\/|pg")/,
    where: /^(libs\/(postgres|testing)|apps\/standalone)\//,
    why: "only the package of PostgreSQL knows Prisma",
  },
  {
    what: /from "(bullmq|ioredis)"/,
    where: /^(libs\/redis|test\/load)\//,
    why: "only the package of Redis knows BullMQ and Redis",
  },
  {
    what: /from "re2js"/,
    where: /^libs\/process\/src\/patterns/,
    why: "strangers' patterns are compiled in one place",
  },
  {
    what: /\bprocess\.env\b/,
    // The witness's text is a program of its own, which tells what a sandbox is started with.
    where:
      /(main|config|global-setup|layers\/witness)\.ts$|^libs\/testing\/|^apps\/standalone\/src\/(stores|redis|postgres)\/|^test\//,
    why: "settings are read once, in main",
  },
];

const byName = new Map(packages.map((pkg) => [pkg.name, pkg]));

/** The package that a specifier names, whatever of it is imported. */
const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

const ownPackageOf = (specifier: string): Package | undefined =>
  specifier.startsWith("@bulkhead/")
    ? byName.get(packageOf(specifier).slice("@bulkhead/".length))
    : undefined;

test("every package has its place in the layout, and there are few", () => {
  const names = packages.map(({ name }) => name);
  expect(names.sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  expect(names.length).toBeLessThanOrEqual(PACKAGES_MAX);
});

test("the layout has no circle", () => {
  const above = (name: string, path: readonly string[]): string[] =>
    path.includes(name)
      ? [[...path, name].join(" → ")]
      : (MAY_IMPORT[name] ?? []).flatMap((below) => above(below, [...path, name]));
  expect(Object.keys(MAY_IMPORT).flatMap((name) => above(name, []))).toEqual([]);
});

test("imports between packages point down", () => {
  const wrong = products.flatMap(({ pkg, file, text }) =>
    importsOf(text).flatMap((specifier) => {
      const target = ownPackageOf(specifier);
      if (!target || target === pkg) return [];
      return MAY_IMPORT[pkg.name]?.includes(target.name) ? [] : [`${file} → ${specifier}`];
    }),
  );
  expect(wrong).toEqual([]);
});

test("of the sandbox, use cases see the wire alone", () => {
  const wrong = products
    .filter(({ pkg }) => SEE_ONLY_THE_WIRE.includes(pkg.name))
    .filter(({ text }) => importsOf(text).includes("@bulkhead/sandbox"))
    .map(({ file }) => file);
  expect(wrong).toEqual([]);
});

test("a package declares what it imports", () => {
  const wrong = products.flatMap(({ pkg, file, text }) =>
    importsOf(text)
      .filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"))
      .map(packageOf)
      .filter(
        (name) =>
          name !== `@bulkhead/${pkg.name}` &&
          !pkg.dependencies.has(name) &&
          !(pkg.name === "testing" && name === "vitest"),
      )
      .map((name) => `${file} → ${name}`),
  );
  expect(wrong).toEqual([]);
});

test("nobody reaches into another package's files, by import or by path", () => {
  const pathsOf = (text: string) =>
    [...text.matchAll(/["'`](\.{1,2}\/[^"'`\n]*)["'`]/g)].flatMap((match) => match[1] ?? []);
  const wrong = sources
    .filter(({ pkg }) => pkg.name !== "standalone" && pkg.name !== "testing")
    .flatMap(({ pkg, file, text }) =>
      (isTest(file) ? importsOf(text).filter((specifier) => specifier.startsWith(".")) : pathsOf(text))
        .map((path) => relative(root, join(root, dirname(file), path)))
        .filter((target) => /^(apps|libs)\//.test(target) && !`${target}/`.startsWith(`${pkg.folder}/`))
        .map((target) => `${file} → ${target}`),
    );
  expect(wrong).toEqual([]);
});

test("a package has one index, at its root, and names what it exports", () => {
  const wrong = sources
    .filter(
      ({ pkg, file, text }) =>
        (file.endsWith("/index.ts") && file !== `${pkg.folder}/src/index.ts`) ||
        /^export \* from/m.test(text),
    )
    .map(({ file }) => file);
  expect(wrong).toEqual([]);
});

test("what belongs in one place stays there", () => {
  const wrong = products.flatMap(({ file, text }) =>
    ONLY_IN.filter(({ what, where }) => what.test(text) && !where.test(file)).map(
      ({ why }) => `${file}: ${why}`,
    ),
  );
  expect(wrong).toEqual([]);
});

test.each([
  ["process", ["isolated-vm"]],
  ["guest", ["web-streams-polyfill"]],
])("the sandbox's %s imports one library and nothing of the rest of the house", (folder, expected) => {
  const names = products
    .filter(({ file }) => file.startsWith(`libs/sandbox/src/${folder}/`))
    .flatMap(({ text }) => importsOf(text))
    .filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"));
  expect([...new Set(names)]).toEqual(expected);
});

test.each([
  ["guest", /^libs\/sandbox\/src\/guest\//],
  ["process", /^libs\/sandbox\/src\/(process|wire|guest)\//],
])("the sandbox's %s imports nothing of the pool", (folder, allowed) => {
  const wrong = products
    .filter(({ file }) => file.startsWith(`libs/sandbox/src/${folder}/`))
    .flatMap(({ file, text }) =>
      importsOf(text)
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => relative(root, join(root, dirname(file), specifier)))
        .filter((target) => !allowed.test(target))
        .map((target) => `${file} → ${target}`),
    );
  expect(wrong).toEqual([]);
});

test("every package has a README", () => {
  expect(
    packages.filter((pkg) => !existsSync(join(root, pkg.folder, "README.md"))).map((pkg) => pkg.folder),
  ).toEqual([]);
});
