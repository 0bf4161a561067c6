import type { FileSettings } from "@bulkhead/core";
import { beforeEach, expect, test } from "vitest";
import { removeFile, type FileAsker } from "../../files.ts";
import { askerOf, deps, newTenant, useWorkspaces, write } from "../fixtures/workspaces.ts";
import { openSkillShelf, searchSkills } from "./search-skills.ts";

useWorkspaces();

let shelf = openSkillShelf();
beforeEach(() => void (shelf = openSkillShelf()));
const find = (asker: FileAsker, query: string, limit = 5) =>
  searchSkills({ ...deps, shelf }, asker, { query, limit });
const pathsFor = async (asker: FileAsker, query: string) =>
  (await find(asker, query)).skills.map(({ path, description }) => [path, description]);
const put = (asker: FileAsker, name: string, description: string) =>
  write(asker, `skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: ${description}\n---\nText.`);

test("a user's skill hides the agent's, which hides the tenant's; others' are not there", async () => {
  const tenantId = await newTenant();
  const of = (agentId: string | null, userId: string | null) => askerOf(tenantId, agentId, userId);
  await put(of(null, null), "report", "report of the tenant");
  await put(of(null, null), "shared", "report for all");
  await put(of("a", null), "report", "report of the agent");
  await put(of("a", "ann"), "report", "report of Ann");
  await put(of("b", "ann"), "report", "report of Ann with another");
  const report = "skills/report/SKILL.md";
  const shared = ["skills/shared/SKILL.md", "report for all"];
  const seenBy = async (agentId: string | null, userId: string | null) =>
    (await pathsFor(of(agentId, userId), "report")).toSorted(([one = ""], [other = ""]) =>
      one.localeCompare(other),
    );
  expect(await seenBy("a", "ann")).toEqual([[report, "report of Ann"], shared]);
  expect(await seenBy("a", "bob")).toEqual([[report, "report of the agent"], shared]);
  expect(await seenBy("c", "bob")).toEqual([[report, "report of the tenant"], shared]);
  expect(await pathsFor(askerOf(await newTenant(), "a", "ann"), "report")).toEqual([]);
});

test("what is written, changed and removed holds at once", async () => {
  const asker = askerOf(await newTenant(), "a", null);
  await put(asker, "one", "about ships");
  expect(await pathsFor(asker, "ships")).toHaveLength(1);
  await put(asker, "one", "about trains");
  expect([await pathsFor(asker, "ships"), (await pathsFor(asker, "trains")).length]).toEqual([[], 1]);
  await removeFile(deps, asker, { path: "skills/one", isRecursive: true });
  expect(await find(asker, "trains")).toEqual({ skills: [], searched: 0, isCut: false, faults: [] });
});

test("what is denied is not found, other files are none, and faults are told", async () => {
  const files: FileSettings = { deny: ["skills/secret"], agents: {} };
  const asker = askerOf(await newTenant(files), "a", null);
  await put({ ...asker, seesAll: true }, "secret", "about ships");
  await write(asker, "skills/notes.md", "ships");
  await write(asker, "other/SKILL.md", "ships");
  await write(asker, "skills/deep/er/SKILL.md", "ships");
  expect(await find(asker, "ships")).toMatchObject({
    skills: [{ name: "er", path: "skills/deep/er/SKILL.md", description: "" }],
    searched: 1,
    faults: [{ path: "skills/deep/er/SKILL.md", fault: "has no front matter" }],
  });
});

test("new ones that a search has no time to read come with the next ones", async () => {
  const asker = askerOf(await newTenant(), "a", null);
  for (const name of ["one", "two"]) await put(asker, name, "about ships");
  const hurried = (readingMs: number) =>
    searchSkills({ ...deps, shelf }, asker, { query: "ships", limit: 5, readingMs });
  expect(await hurried(0)).toMatchObject({ skills: [], searched: 0, isCut: true });
  expect(await find(asker, "ships")).toMatchObject({ searched: 2, isCut: false });
  expect(await hurried(0)).toMatchObject({ searched: 2, isCut: false });
});
