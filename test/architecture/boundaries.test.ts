import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");

/** What each layer may import. Imports point down; use cases never see adapters. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  app: ["usecase", "adapter", "domain", "foundation"],
  usecase: ["usecase", "domain", "foundation"],
  adapter: ["domain", "foundation"],
  domain: ["domain", "foundation"],
  foundation: ["foundation"],
  // Test support starts the real stores and migrates them.
  testing: ["adapter", "domain", "foundation"],
};

/** What must stay in one place, and the places where it may be. */
const ONLY_IN: { what: RegExp; where: RegExp; why: string }[] = [
  { what: /from "isolated-vm"/, where: /^apps\/sandbox\//, why: "only the sandbox process runs tenant code" },
  {
    what: /from "(@prisma\/|pg")/,
    where: /^libs\/(adapter\/(database|stores)|testing)\//,
    why: "only the database adapter knows Prisma",
  },
  {
    what: /from "bullmq"/,
    where: /^(libs\/adapter\/(queue|schedule-trigger)|test\/load)\//,
    why: "only the queue adapters know BullMQ",
  },
  {
    what: /from "ioredis"/,
    where:
      /^(libs\/adapter\/(queue|rate-limit|schedule-trigger|stream)|libs\/foundation\/redis|test\/load)\//,
    why: "only the Redis adapters know Redis",
  },
  {
    what: /from "re2js"/,
    where: /^libs\/foundation\/re2\//,
    why: "strangers' patterns are compiled in one place",
  },
  {
    what: /\bprocess\.env\b/,
    // The witness's text is a program of its own, which tells what a sandbox is started with.
    where:
      /(main|config|global-setup|layers\/witness)\.ts$|^libs\/testing\/|^libs\/adapter\/stores\/|^test\//,
    why: "settings are read once, in main",
  },
];

interface Package {
  name: string;
  folder: string;
  layer: string;
  dependencies: Set<string>;
}

function readPackages(): Package[] {
  return globSync("{apps,libs}/**/package.json", {
    cwd: root,
    exclude: (path) => path.includes("node_modules"),
  }).map((file) => {
    const json = JSON.parse(readFileSync(join(root, file), "utf8"));
    const layer = (json.nx?.tags ?? [])
      .find((tag: string) => tag.startsWith("layer:"))
      ?.slice("layer:".length);
    return {
      name: json.name,
      folder: dirname(file),
      layer,
      dependencies: new Set(Object.keys(json.dependencies ?? {})),
    };
  });
}

const packages = readPackages();
const byName = new Map(packages.map((pkg) => [pkg.name, pkg]));
const isTest = (file: string) => file.endsWith(".test.ts") || file.includes("/fixtures/");

const sources = packages.flatMap((pkg) =>
  globSync("{src,guest}/**/*.ts", { cwd: join(root, pkg.folder) })
    .filter((file) => !file.includes("generated"))
    .map((file) => ({
      pkg,
      file: `${pkg.folder}/${file}`,
      text: readFileSync(join(root, pkg.folder, file), "utf8"),
    })),
);

const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|^import) "([a-z@.][^"\\]*)"/gm)].flatMap((match) => match[1] ?? []);

/** The package that a specifier names, whatever of it is imported. */
const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

test("every package has a layer", () => {
  expect(packages.filter((pkg) => !MAY_IMPORT[pkg.layer]).map((pkg) => pkg.name)).toEqual([]);
});

test("imports between packages point down", () => {
  const wrong = sources
    .filter(({ file }) => !isTest(file))
    .flatMap(({ pkg, file, text }) =>
      importsOf(text).flatMap((specifier) => {
        const target = byName.get(packageOf(specifier));
        if (!target || target === pkg) return [];
        return MAY_IMPORT[pkg.layer]?.includes(target.layer)
          ? []
          : [`${file} (${pkg.layer}) → ${specifier} (${target.layer})`];
      }),
    );
  expect(wrong).toEqual([]);
});

test("a package declares what it imports", () => {
  const wrong = sources
    .filter(({ file }) => !isTest(file))
    .flatMap(({ pkg, file, text }) =>
      importsOf(text)
        .filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"))
        .map(packageOf)
        .filter(
          (name) =>
            name !== pkg.name &&
            !pkg.dependencies.has(name) &&
            !(pkg.layer === "testing" && name === "vitest"),
        )
        .map((name) => `${file} → ${name}`),
    );
  expect(wrong).toEqual([]);
});

test("nobody reaches into another package's files", () => {
  const wrong = sources.flatMap(({ pkg, file, text }) =>
    importsOf(text)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => relative(root, join(root, dirname(file), specifier)))
      .filter((target) => !target.startsWith(`${pkg.folder}/`))
      .map((target) => `${file} → ${target}`),
  );
  expect(wrong).toEqual([]);
});

test("what belongs in one place stays there", () => {
  const wrong = sources
    .filter(({ file }) => !isTest(file))
    .flatMap(({ file, text }) =>
      ONLY_IN.filter(({ what, where }) => what.test(text) && !where.test(file)).map(
        ({ why }) => `${file}: ${why}`,
      ),
    );
  expect(wrong).toEqual([]);
});

test.each([
  ["program imports the wire and isolated-vm", "src", ["@bulkhead/wire/sandbox", "isolated-vm"]],
  ["guest imports the library of streams", "guest", ["web-streams-polyfill"]],
])("the sandbox's %s, nothing else", (_, folder, expected) => {
  const names = sources
    .filter(({ pkg, file }) => pkg.name === "@bulkhead/sandbox" && !isTest(file))
    .filter(({ file }) => file.includes(`apps/sandbox/${folder}/`))
    .flatMap(({ text }) => importsOf(text))
    .filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"));
  expect([...new Set(names)].sort()).toEqual(expected);
});

test("every package has a README", () => {
  expect(
    packages.filter((pkg) => !existsSync(join(root, pkg.folder, "README.md"))).map((pkg) => pkg.folder),
  ).toEqual([]);
});
