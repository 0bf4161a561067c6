import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DEPTH_MAX } from "./bounds.ts";
import type { FoundFault } from "./fault-list.ts";
import { findUnits } from "./find-units.ts";
import { readBounded, readText } from "./read-file.ts";

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), "units-"))));
afterEach(() => rmSync(root, { recursive: true }));

const write = (file: string, text = ""): void => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};

function find() {
  const faults: FoundFault[] = [];
  const units = findUnits(root, (fault) => void faults.push(fault));
  return { units, faults };
}

test("formats are told apart by what is there, in the order of names", () => {
  write("tools/b/manifest.json");
  write("tools/b/tools.ts");
  write("tools/a/tool.js");
  write("worker/bulkhead.yaml");
  write("worker/tools.ts");
  write("tools.ts");
  write("node_modules/x/tool.js");
  write(".git/tool.js");
  write("docs/README.md");
  expect(find().units).toEqual([
    { kind: "tools", file: "tools.ts" },
    { kind: "definitions", file: "tools/a/tool.js" },
    { kind: "manifest", folder: "tools/b" },
    // What its toolsets don't name is not shown.
    { kind: "toolsets", file: "worker/bulkhead.yaml" },
  ]);
});

test("links are not followed: a circle ends, and a link in place of a tool is told", () => {
  write("a/tool.js");
  symlinkSync(root, join(root, "a/loop"));
  symlinkSync("/etc/passwd", join(root, "tools.ts"));
  const { units, faults } = find();
  expect(units).toEqual([{ kind: "definitions", file: "a/tool.js" }]);
  expect(faults).toMatchObject([{ code: "file.link", file: "tools.ts" }]);
});

test("a pipe in place of a tool is told, and not waited for", async () => {
  execFileSync("env", ["mkfifo", join(root, "tool.js")]);
  expect(find().faults).toMatchObject([{ code: "file.kind", file: "tool.js" }]);
  await expect(readBounded(join(root, "tool.js"))).rejects.toMatchObject({ code: "file.kind" });
});

test("folders that nest too deep are told", () => {
  write(`${"d/".repeat(DEPTH_MAX + 1)}tool.js`);
  expect(find().faults).toMatchObject([{ severity: "warning", code: "folder.too_large" }]);
});

test("a file is read up to its bound, by itself, as text", async () => {
  write("large", "12345");
  write("binary");
  writeFileSync(join(root, "binary"), Buffer.from([0xff]));
  symlinkSync("large", join(root, "link"));
  await expect(readBounded(join(root, "large"), 4)).rejects.toMatchObject({ code: "file.too_large" });
  await expect(readText(join(root, "large"), 5)).resolves.toBe("12345");
  await expect(readText(join(root, "binary"))).rejects.toMatchObject({ code: "file.unreadable" });
  await expect(readText(join(root, "link"))).rejects.toMatchObject({ code: "file.link" });
  await expect(readText(join(root, "none"))).rejects.toMatchObject({ code: "file.unreadable" });
});
