import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeNewFiles } from "./write-new-files.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "bulkhead-new-files-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const files = (entries: Record<string, string>) => new Map(Object.entries(entries));

test("what is there stays as it is, and is told", async () => {
  const folder = join(root, "deep", "project");
  const first = await writeNewFiles(folder, files({ "a/b/c.txt": "one", "d.txt": "two" }));
  expect(first).toEqual({ written: ["a/b/c.txt", "d.txt"], kept: [] });
  const again = await writeNewFiles(folder, files({ "d.txt": "changed", "a/b/e.txt": "three" }));
  expect(again).toEqual({ written: ["a/b/e.txt"], kept: ["d.txt"] });
  expect(await readFile(join(folder, "d.txt"), "utf8")).toBe("two");
});

test("nothing is written through a link, be it a file's or a folder's", async () => {
  const [folder, outside] = [join(root, "linked"), join(root, "outside")];
  await mkdir(folder);
  await mkdir(outside);
  await symlink(join(outside, "made.txt"), join(folder, "dangling.txt"));
  expect(await writeNewFiles(folder, files({ "dangling.txt": "x" }))).toEqual({
    written: [],
    kept: ["dangling.txt"],
  });
  await symlink(outside, join(folder, ".github"));
  await expect(writeNewFiles(folder, files({ "a.txt": "x", ".github/w/t.yml": "x" }))).rejects.toThrow(
    "is a link, and nothing is written through links",
  );
  expect(await readdir(outside)).toEqual([]);
  expect(await readdir(folder)).toEqual([".github", "dangling.txt"]);
});

test("where one file can't be written, none is, and no folder is left", async () => {
  const folder = join(root, "half");
  await mkdir(folder);
  await writeFile(join(folder, "b"), "a file where a folder has to be");
  await expect(writeNewFiles(folder, files({ "a/one.txt": "x", "b/two.txt": "x" }))).rejects.toMatchObject({
    parts: { exit: 2 },
    message: expect.stringContaining("can't be written"),
  });
  expect(await readdir(folder)).toEqual(["b"]);
  const fresh = join(root, "fresh", "folder");
  await expect(writeNewFiles(fresh, files({ "a.txt": "x", "a.txt/b.txt": "x" }))).rejects.toThrow();
  await expect(lstat(join(root, "fresh"))).rejects.toMatchObject({ code: "ENOENT" });
});
