import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { UnseenServerError, viewOf } from "./server-view.ts";

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "view-")));
});
afterAll(() => rmSync(root, { recursive: true }));

function file(path: string): string {
  const at = join(root, path);
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(at, "");
  return at;
}

/** What is seen of the folder of these tests, by the paths in it. */
const seen = (command: string, ...args: string[]): string[] =>
  viewOf(command, args)
    .filter((path) => path.startsWith(root))
    .map((path) => path.slice(root.length + 1))
    .sort();

it("shows the system's programs and nothing of anyone's", () => {
  const view = viewOf("/bin/sh", []);
  expect(view).toContain("/usr/bin");
  expect(view).toContain(process.execPath);
  expect(view.filter((path) => path.startsWith("/etc/"))).not.toContain("/etc/passwd");
});

it("shows the outermost node_modules of a script that lies in one, and not what stands beside it", () => {
  const script = file("project/node_modules/@a/server/node_modules/b/index.js");
  file("project/.env");
  expect(seen("/bin/sh", script)).toEqual(["project/node_modules"]);
});

it("shows the folder of a script's package with every node_modules above", () => {
  const script = file("repo/packages/server/dist/index.js");
  file("repo/packages/server/package.json");
  file("repo/node_modules/a/index.js");
  file("repo/.env");
  expect(seen("/bin/sh", script, "--verbose")).toEqual(["repo/node_modules", "repo/packages/server"]);
});

it("shows a whole Python environment, though its program is a link out of it", () => {
  file("venv/pyvenv.cfg");
  mkdirSync(join(root, "venv/bin"));
  symlinkSync("/bin/sh", join(root, "venv/bin/python"));
  expect(seen(join(root, "venv/bin/python"))).toEqual(["venv"]);
});

it("shows the file's own folder where it belongs to no package, and a folder that is named", () => {
  expect(seen("/bin/sh", file("alone/server.js"), dirname(file("data/a.txt")))).toEqual(["alone", "data"]);
});

it("shows both ends of a link, and no path within another", () => {
  file("versions/2/package.json");
  const script = file("versions/2/dist/index.js");
  symlinkSync(join(root, "versions/2"), join(root, "current"));
  expect(seen("/bin/sh", join(root, "current/dist/index.js"), dirname(script))).toEqual([
    "current",
    "versions/2",
  ]);
});

it("shows no more of the node that runs us than the program", () => {
  expect(viewOf(process.execPath, [])).toContain(process.execPath);
});

it.each([
  ["a command that is not there", "/no/such/server", []],
  ["a command by its bare name", "node", []],
  ["the whole machine", "/bin/sh", ["/"]],
  ["all temporary files", "/bin/sh", [tmpdir()]],
  ["the worker's own folder", "/bin/sh", [process.cwd()]],
  ["all settings of the system", "/bin/sh", ["/etc/passwd"]],
  ["the kernel's files", "/bin/sh", ["/proc/self/environ"]],
])("refuses %s", (_, command, args) => {
  expect(() => viewOf(command, args)).toThrow(UnseenServerError);
});
