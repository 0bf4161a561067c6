import { expect, test } from "vitest";
import { agentKindOf, deniedPaths, isDenied, mayWriteAt } from "./file-settings.ts";
import { layersOf, readPlaces, ROUTED_FOLDERS, writePlace } from "./routed-files.ts";
import { contentTypeOf } from "./file.ts";

const user = { tenantId: "t", agentId: "a", userId: "u" };
const agent = { ...user, userId: null };
const tenant = { ...agent, agentId: null };
const CONTEXT = ["SOUL.md", "IDENTITY.md", "AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "BOOTSTRAP.md"];

test.each([...CONTEXT, "USER.md"])(
  "of an open agent %s is each user's, with the agent's to fall back on",
  (path) => {
    expect(readPlaces(user, path, "open")).toEqual([user, agent]);
    expect(writePlace(user, path, "open")).toEqual(user);
    expect(readPlaces(agent, path, "open")).toEqual([agent]);
  },
);

test.each(CONTEXT)("of a predefined agent %s is the agent's, and no user's run writes it", (path) => {
  expect(readPlaces(user, path, "predefined")).toEqual([agent]);
  expect(writePlace(user, path, "predefined")).toBeNull();
  expect(writePlace(agent, path, "predefined")).toEqual(agent);
});

test("USER.md of a predefined agent is the user's, without another to fall back on", () => {
  expect(readPlaces(user, "USER.md", "predefined")).toEqual([user]);
  expect(writePlace(user, "USER.md", "predefined")).toEqual(user);
});

test.each(["MEMORY.md", "memory.md", "memory/2026/today.md", "skills/pdf/SKILL.md"])(
  "%s is the user's, the agent's or the tenant's",
  (path) => {
    for (const kind of ["open", "predefined"] as const) {
      expect(readPlaces(user, path, kind)).toEqual([user, agent, tenant]);
      expect(writePlace(user, path, kind)).toEqual(user);
    }
    expect(readPlaces(agent, path, "open")).toEqual([agent, tenant]);
  },
);

test.each(["notes.md", "soul.md", "x/SOUL.md", "memory", "memory2/a.md", "Memory.md"])(
  "%s is simply a file",
  (path) => {
    expect(readPlaces(user, path, "predefined")).toEqual([user]);
    expect(writePlace(user, path, "predefined")).toEqual(user);
  },
);

test("the layers of a list are where its files are read", () => {
  const paths = [...CONTEXT, "USER.md", "MEMORY.md", "memory.md", "memory/a", "notes.md"];
  const shown = (only: readonly string[], path: string): boolean =>
    only.some((said) => (said.endsWith("/") ? path.startsWith(said) : said === path));
  for (const kind of ["open", "predefined"] as const)
    for (const workspace of [user, agent, tenant, { ...user, agentId: null }])
      for (const path of paths) {
        const layers = layersOf(workspace, kind).filter(
          ({ only, except }) => (only === null || shown(only, path)) && !shown(except, path),
        );
        expect(layers.map((layer) => layer.workspace)).toEqual(readPlaces(workspace, path, kind));
      }
});

test("memory and skills are folders for everybody", () => {
  expect(ROUTED_FOLDERS).toEqual(["memory", "skills"]);
});

test("what is denied is so by whole parts, of the tenant's and the agent's lists together", () => {
  const settings = {
    deny: ["secret"],
    agents: { a: { deny: ["x/y"] }, b: { kind: "predefined" as const } },
  };
  const denied = deniedPaths(settings, "a");
  expect(denied).toEqual(["secret", "x/y"]);
  expect(deniedPaths(settings, "toString")).toEqual(["secret"]);
  expect(["secret", "secret/a", "x/y/z"].every((path) => isDenied(denied, path))).toBe(true);
  expect(["secrets", "Secret", "x", "x/yz"].some((path) => isDenied(denied, path))).toBe(false);
  // A file where the denied folder would have to be would tell whether it is there.
  expect(mayWriteAt(denied, "x")).toBe(false);
  expect(mayWriteAt(denied, "x/z")).toBe(true);
  expect([agentKindOf(settings, "a"), agentKindOf(settings, "b"), agentKindOf(settings, null)]).toEqual([
    "open",
    "predefined",
    "open",
  ]);
});

test("a content type comes of the end of a name alone", () => {
  expect(contentTypeOf("a/b.MD")).toBe("text/markdown; charset=utf-8");
  expect(contentTypeOf("a.png")).toBe("image/png");
  for (const path of ["png", "a.unknown", "a.png/b", "a."])
    expect(contentTypeOf(path)).toBe("application/octet-stream");
});
