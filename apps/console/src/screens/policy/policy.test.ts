import { expect, test } from "vitest";
import { placeOf, readDraft } from "./policy-draft.ts";
import { shownOf, whyOf } from "./explained-rows.ts";
import { readPolicySearch } from "./policy-search.ts";
import { entryWords, sectionsOf } from "./policy-words.ts";

test("a document is told section by section, each list with its place", () => {
  const sections = sectionsOf({
    profile: "coding",
    deny: ["group:web"],
    agents: { alpha: { allow: [], byProvider: { small: { allow: ["a", "a"] } } } },
    groupAllow: { public: ["b"] },
    subagents: { leafDeny: ["c"] },
    forbid: ["d"],
    groups: { own: ["e*"] },
  });
  expect(sections.flatMap(({ title, said }) => said.map(({ path, words }) => [title, path, words]))).toEqual([
    ["All agents", "profile", "keep the tools for coding alone (profile coding)"],
    ["All agents", "deny", "lose"],
    ["The agent alpha", "agents.alpha.allow", "keep no tool at all"],
    ["The agent alpha", "agents.alpha.byProvider.small.allow", "on small, keep only"],
    ["Calls from the group public", "groupAllow.public", "keep only"],
    ["Agents that another agent began", "subagents.leafDeny", "lose, where they begin none of their own"],
    ["Nobody, whatever else is said", "forbid", "gets"],
    ["Groups of your own", "groups.own", "group:own means"],
  ]);
});

test.each([{}, [], null, { allow: "x", agents: [1], groups: { a: { b: 1 } }, subagents: 3, profile: 4 }])(
  "%j says nothing, and breaks nothing",
  (document) => expect(sectionsOf(document)).toEqual([]),
);

test("an entry says what it means", () => {
  expect(["a", "?a", "a_*", "group:fs"].map(entryWords)).toEqual([
    "the tool a",
    "a, whether it is there yet or not",
    "every tool whose name begins with a_",
    "every tool of the group fs",
  ]);
});

test.each(["[]", "null", "1", '{"a":', ""])("%s is no document", (text) => {
  expect(readDraft(text)).toHaveProperty("fault");
});

const TEXT = `{
  "deny": ["x", "y,]}"],
  "agents": { "al\\"pha": { "deny": [ "z" , {"deep": [1, 2]}] } }
}`;

test.each([
  ["deny.1", '"y,]}"'],
  ["deny", '["x", "y,]}"]'],
  ['agents.al"pha.deny.1.deep.1', "2"],
  ["agents.nobody", null],
  ["", TEXT],
])("%s stands at %s", (path, found) => {
  const place = placeOf(TEXT, path);
  expect(place && TEXT.slice(...place)).toBe(found);
});

test("a text that is no JSON has no places", () => expect(placeOf('{"a": [1', "a")).toBeNull());

const tools = [
  { name: "a", status: "active" as const, allowed: true, why: "allowed: no list of the policy takes it" },
  {
    name: "b",
    status: "active" as const,
    allowed: true,
    why: "allowed: x",
    candidate: { allowed: false, why: 'not allowed: "b" in deny' },
  },
];

test("tools are narrowed by what the asker gets, what a draft changes, and words of their names", () => {
  const names = (search: object): string[] => shownOf(tools, search).map(({ name }) => name);
  expect(names({})).toEqual(["a", "b"]);
  expect(names({ show: "in" })).toEqual(["a", "b"]);
  expect(names({ show: "out" })).toEqual([]);
  expect(names({ show: "changed" })).toEqual(["b"]);
  expect(names({ q: "B" })).toEqual(["b"]);
});

test("why leaves out what the mark beside it says", () => {
  expect(whyOf('not allowed: "b" in deny')).toBe('"b" in deny');
  expect(whyOf("disabled, so it does not run; allowed: x")).toBe("disabled, so it does not run; x");
});

test("an address that says nonsense asks about nobody", () => {
  expect(readPolicySearch({ depth: "x", show: "all", agent: 7, q: {} })).toEqual({ agent: "7" });
  expect(readPolicySearch({ depth: 2 })).toEqual({ depth: 2 });
});
