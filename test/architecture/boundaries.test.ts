import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { importsOf, isTest, packages, products, root, sources, type Package } from "./support/house.ts";

const USE_CASES = ["executions", "tools", "tenants", "agents"];

/**
 * The layout: every package, and what it imports, no more. Imports point down, in no circle. Use cases never see an adapter:
 * the ports are interfaces in the core, and each app's main.ts marries the two.
 */
const IMPORTS: Record<string, readonly string[]> = {
  core: [],
  contracts: ["core"],
  policy: ["core"],
  process: [],
  sandbox: ["core", "process"],
  egress: ["core"],
  "mcp-bridge": ["core", "process"],
  scrub: ["core", "process", "sandbox"],
  postgres: ["core"],
  redis: ["core", "process"],
  tools: ["contracts", "core", "policy", "process", "sandbox"],
  tenants: ["contracts", "core", "policy", "process", "tools"],
  executions: ["contracts", "core", "policy", "process", "sandbox", "tenants", "tools"],
  // Its gateway is over the use cases of all of them.
  agents: ["contracts", "core", "executions", "policy", "process", "tenants", "tools"],
  // What is published knows the API by its document alone.
  client: [],
  "ai-sdk": ["client"],
  platform: ["core", "egress", "executions", "postgres", "process", "redis", "tenants"],
  standalone: ["bulkhead-cli", "postgres", "process", "redis", "tenants"],
  // Folders of tools are read by the rules of an import.
  "bulkhead-cli": ["client", "contracts", "core", "tools"],
  // The web console lives on the public API alone; of the core it takes what both must see alike: what is harmless to show, and what a pattern matches.
  console: ["client", "core"],
  "rotate-keys": ["postgres", "process", "tenants"],
  // Test support starts the real stores and migrates them.
  testing: ["postgres", "standalone"],
  api: [
    ...USE_CASES,
    "console",
    "contracts",
    "core",
    "egress",
    "mcp-bridge",
    "platform",
    "policy",
    "postgres",
    "process",
    "redis",
    "scrub",
  ],
  worker: [
    "agents",
    "core",
    "egress",
    "executions",
    "mcp-bridge",
    "platform",
    "process",
    "redis",
    "sandbox",
    "scrub",
    "tenants",
    "tools",
  ],
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
    where: /^(libs\/(postgres|testing|egress\/src\/outside)|apps\/standalone)\//,
    why: "only the package of PostgreSQL knows Prisma, and the way out the driver for others' databases",
  },
  {
    what: /from "nodemailer"/,
    where: /^libs\/egress\/src\/outside\//,
    why: "mail goes out in one place",
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
  byName.get(packageOf(specifier).replace("@bulkhead/", ""));

test("every package has its place in the layout, and there are few", () => {
  const names = packages.map(({ name }) => name);
  expect(names.sort()).toEqual(Object.keys(IMPORTS).sort());
  expect(names.length).toBeLessThanOrEqual(PACKAGES_MAX);
});

test("the layout has no circle", () => {
  const above = (name: string, path: readonly string[]): string[] =>
    path.includes(name)
      ? [[...path, name].join(" → ")]
      : (IMPORTS[name] ?? []).flatMap((below) => above(below, [...path, name]));
  expect(Object.keys(IMPORTS).flatMap((name) => above(name, []))).toEqual([]);
});

test("packages import what the layout says, no more and no less", () => {
  const found = packages.map((pkg) => {
    const targets = products
      .filter(({ pkg: of }) => of === pkg)
      .flatMap(({ text }) => importsOf(text).map((specifier) => ownPackageOf(specifier)?.name ?? pkg.name));
    return [pkg.name, [...new Set(targets)].filter((name) => name !== pkg.name).sort()] as const;
  });
  const said = Object.entries(IMPORTS).map(([name, below]) => [name, [...below].sort()] as const);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(said));
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
      // A virtual module is made by a plugin of the build.
      .filter((specifier) => !/^(?:\.|node:|virtual:)/.test(specifier))
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
