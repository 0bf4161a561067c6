import { FILE_SETTINGS_DEFAULT, type Fault } from "@bulkhead/core";
import { expect, test } from "vitest";
import {
  appendFile,
  editFile,
  fileExists,
  globFiles,
  listFiles,
  listVersions,
  moveFile,
  readFile,
  readLines,
  removeFile,
  searchFiles,
  statFile,
} from "../files.ts";
import {
  askerOf,
  bytesOf,
  codeOf,
  database,
  deps,
  newTenant,
  pathsOf,
  read,
  write,
  useWorkspaces,
} from "./fixtures/workspaces.ts";

useWorkspaces();

test("context files of an open agent are the user's, with the agent's to fall back on", async () => {
  const tenantId = await newTenant();
  const agent = askerOf(tenantId, "a", null);
  const [ann, bob] = [askerOf(tenantId, "a", "ann"), askerOf(tenantId, "a", "bob")];
  await write(agent, "SOUL.md", "agent's soul");
  await write(agent, "notes.md", "agent's notes");
  expect(await read(ann, "SOUL.md")).toBe("agent's soul");
  expect(await pathsOf(ann)).toEqual(["SOUL.md"]);
  // A change of what is inherited is one's own.
  const { file, diff } = await editFile(deps, ann, {
    path: "SOUL.md",
    edits: [{ oldText: "agent's", newText: "ann's" }],
  });
  expect([file.isInherited, diff]).toEqual([false, expect.stringContaining("+ann's soul")]);
  expect([await read(ann, "SOUL.md"), await read(bob, "SOUL.md"), await read(agent, "SOUL.md")]).toEqual([
    "ann's soul",
    "agent's soul",
    "agent's soul",
  ]);
  expect(await codeOf(removeFile(deps, bob, { path: "SOUL.md" }))).toBe("file.not_allowed");
  expect(await codeOf(moveFile(deps, bob, { from: "SOUL.md", to: "x" }))).toBe("file.not_allowed");
  await removeFile(deps, ann, { path: "SOUL.md" });
  expect(await read(ann, "SOUL.md")).toBe("agent's soul");
});

test("an empty BOOTSTRAP.md is as good as none, for this user alone", async () => {
  const tenantId = await newTenant();
  const agent = askerOf(tenantId, "a", null);
  const [ann, bob] = [askerOf(tenantId, "a", "ann"), askerOf(tenantId, "a", "bob")];
  await write(agent, "BOOTSTRAP.md", "first run");
  expect(await read(ann, "BOOTSTRAP.md")).toBe("first run");
  expect(await write(ann, "BOOTSTRAP.md", "")).toMatchObject({ file: null, changed: true });
  expect(await codeOf(read(ann, "BOOTSTRAP.md"))).toBe("file.not_found");
  expect(await fileExists(deps, ann, "BOOTSTRAP.md")).toBeNull();
  expect(await pathsOf(ann)).toEqual([]);
  expect((await globFiles(deps, ann, { pattern: "*" })).files).toEqual([]);
  expect((await listFiles(deps, ann, { limit: 10 })).entries).toEqual([]);
  expect((await searchFiles(deps, ann, { pattern: "first" })).matches).toEqual([]);
  expect(await read(bob, "BOOTSTRAP.md")).toBe("first run");
  await write(agent, "BOOTSTRAP.md", "");
  expect((await database.files.usage(tenantId)).files).toBe(1);
  expect(await codeOf(read(bob, "BOOTSTRAP.md"))).toBe("file.not_found");
});

test("of a predefined agent users have USER.md, and read the rest", async () => {
  const tenantId = await newTenant({ deny: [], agents: { a: { kind: "predefined" } } });
  const agent = askerOf(tenantId, "a", null);
  const ann = askerOf(tenantId, "a", "ann");
  await write(agent, "SOUL.md", "soul");
  await write(agent, "USER.md", "of nobody");
  expect(await read(ann, "SOUL.md")).toBe("soul");
  expect(await codeOf(write(ann, "SOUL.md", "mine"))).toBe("file.not_allowed");
  expect(await codeOf(moveFile(deps, ann, { from: "x", to: "SOUL.md" }))).toBe("file.not_found");
  expect(await codeOf(read(ann, "USER.md"))).toBe("file.not_found");
  await write(ann, "USER.md", "ann");
  expect(await pathsOf(ann)).toEqual(["SOUL.md", "USER.md"]);
});

test("memory is the user's first, then the agent's, then the tenant's", async () => {
  const tenantId = await newTenant();
  const [all, agent] = [askerOf(tenantId, null, null), askerOf(tenantId, "a", null)];
  const ann = askerOf(tenantId, "a", "ann");
  await write(all, "memory/1.md", "tenant 1");
  await write(all, "memory/2.md", "tenant 2");
  await write(agent, "memory/2.md", "agent 2");
  await write(ann, "memory/3.md", "ann 3");
  await write(all, "own.md", "the tenant's own");
  expect(await pathsOf(ann)).toEqual(["memory/1.md", "memory/2.md", "memory/3.md"]);
  expect(await read(ann, "memory/2.md")).toBe("agent 2");
  const found = await searchFiles(deps, ann, { pattern: "(tenant|agent|ann) \\d" });
  expect(found.matches.map(({ text }) => text).toSorted()).toEqual(["agent 2", "ann 3", "tenant 1"]);
  expect((await listFiles(deps, ann, { limit: 10 })).entries).toEqual([
    { kind: "folder", path: "memory", files: 3 },
  ]);
  expect((await globFiles(deps, ann, { pattern: "memory/*" })).files.map(({ path }) => path)).toHaveLength(3);
  expect(await codeOf(write(ann, "memory", "x"))).toBe("file.is_folder");
});

test("what is denied is nowhere for agents, and no write tells whether it is there", async () => {
  const files = { deny: ["secret", "deep/er/hidden"], agents: { a: { deny: ["own.md"] } } };
  const tenantId = await newTenant(files);
  const agent = askerOf(tenantId, "a", null);
  const person = { ...agent, seesAll: true };
  const empty = askerOf(tenantId, "a", "nobody");
  for (const path of ["secret/key.txt", "deep/er/hidden/1", "deep/2", "own.md", "open.md"])
    await write(person, path, "needle");
  expect(await pathsOf(agent)).toEqual(["deep/2", "open.md"]);
  expect(await pathsOf(person)).toHaveLength(5);
  expect((await listFiles(deps, agent, { limit: 10 })).entries).toMatchObject([
    { kind: "folder", path: "deep", files: 1 },
    { kind: "file", file: { path: "open.md" } },
  ]);
  expect((await globFiles(deps, agent, { pattern: "**" })).files.map(({ path }) => path)).toEqual([
    "deep/2",
    "open.md",
  ]);
  expect((await searchFiles(deps, agent, { pattern: "needle" })).filesSearched).toBe(2);
  // The same whether there is something or not.
  for (const asker of [agent, empty])
    for (const path of ["secret/key.txt", "secret", "own.md", "deep/er/hidden/1", "secret/other"]) {
      expect(await codeOf(readFile(deps, asker, { path }))).toBe("file.not_found");
      expect(await codeOf(statFile(deps, asker, path))).toBe("file.not_found");
      expect(await codeOf(removeFile(deps, asker, { path, isRecursive: true }))).toBe("file.not_found");
      expect(await codeOf(moveFile(deps, asker, { from: path, to: "x" }))).toBe("file.not_found");
      expect(await codeOf(write(asker, path, "x"))).toBe("file.not_allowed");
      await write(asker, "mine", "x");
      expect(await codeOf(moveFile(deps, asker, { from: "mine", to: path, overwrites: true }))).toBe(
        "file.not_allowed",
      );
    }
  for (const asker of [agent, empty]) {
    expect(await codeOf(write(asker, "deep/er", "x"))).toBe("file.not_allowed");
    await write(asker, "dir/hidden/1", "x");
    expect(await codeOf(moveFile(deps, asker, { from: "dir", to: "deep/er" }))).toBe("file.not_allowed");
  }
  expect(await read(person, "secret/key.txt")).toBe("needle");
});

test("appends and edits of many at once are all there", async () => {
  const asker = askerOf(await newTenant(), "a", null);
  await write(asker, "log", "");
  await Promise.all(
    [1, 2, 3, 4].map((n) => appendFile(deps, asker, { path: "log", content: bytesOf(`${n}\n`) })),
  );
  expect((await read(asker, "log")).split("\n").toSorted()).toEqual(["", "1", "2", "3", "4"]);
});

test("edits are done all or none, and each has to fit once", async () => {
  const asker = askerOf(await newTenant(), "a", null);
  await write(asker, "a.txt", "one\ntwo\ntwo\r\n");
  const edit = (...edits: [string, string][]) =>
    editFile(deps, asker, {
      path: "a.txt",
      edits: edits.map(([oldText, newText]) => ({ oldText, newText })),
    });
  const faultOf = async (done: Promise<unknown>) =>
    done.catch(({ code, errors }: Fault) => [code, errors[0]?.path]);
  expect(await faultOf(edit(["one", "1"], ["two", "2"]))).toEqual(["file.edit_failed", "edits.1.oldText"]);
  expect(await faultOf(edit(["three", "3"]))).toEqual(["file.edit_failed", "edits.0.oldText"]);
  expect(await faultOf(edit(["", "3"]))).toEqual(["file.edit_failed", "edits.0.oldText"]);
  expect(await read(asker, "a.txt")).toBe("one\ntwo\ntwo\r\n");
  const { diff } = await edit(["one", "1"], ["1\ntwo", "1\n2"]);
  expect(diff).toContain("-one\n-two\n+1\n+2\n two");
  await write(asker, "binary", "a\0b");
  expect(
    await codeOf(editFile(deps, asker, { path: "binary", edits: [{ oldText: "a", newText: "b" }] })),
  ).toBe("file.not_text");
});

test("lines are read from one to another, within a bound", async () => {
  const asker = askerOf(await newTenant(), "a", null);
  await write(asker, "a.txt", "1\n2\n3");
  const lines = (asked: object) => readLines(deps, asker, { path: "a.txt", ...asked });
  expect(await lines({})).toMatchObject({
    text: "1\n2\n3",
    startLine: 1,
    endLine: 3,
    totalLines: 3,
    isCut: false,
  });
  expect(await lines({ startLine: 2, endLine: 2 })).toMatchObject({ text: "2\n", endLine: 2 });
  expect(await lines({ bytesMax: 4 })).toMatchObject({ text: "1\n2\n", endLine: 2, isCut: true });
  expect(await codeOf(lines({ startLine: 4 }))).toBe("file.range_beyond");
  await write(asker, "a.txt", "äää\n");
  expect(await lines({ bytesMax: 3 })).toMatchObject({ text: "ä", endLine: 1, isCut: true });
  await write(asker, "a.txt", "");
  expect(await lines({})).toMatchObject({ text: "", totalLines: 0, isCut: false });
});

test("bounds refuse by name: a file's bytes, a path, a version", async () => {
  const asker = askerOf(await newTenant(FILE_SETTINGS_DEFAULT, 10), "a", null);
  expect(await codeOf(write(asker, "a", "x".repeat(11)))).toBe("file.too_large");
  await write(asker, "a", "x".repeat(10));
  expect(await codeOf(appendFile(deps, asker, { path: "a", content: bytesOf("x") }))).toBe("file.too_large");
  for (const path of ["../a", "a\0", "con", "/etc/passwd"])
    expect(await codeOf(write(asker, path, "x"))).toBe("file.path_invalid");
  expect(await codeOf(moveFile(deps, asker, { from: "a", to: "a/b" }))).toBe("file.path_invalid");
  expect(await codeOf(readFile(deps, asker, { path: "a", version: 9 }))).toBe("file.version_not_found");
  expect((await listVersions(deps, asker, "a")).versions).toHaveLength(1);
  expect(await codeOf(write(askerOf("ten_none", null, null), "a", "x"))).toBe("tenant.not_found");
});
