import type { BuiltInTool } from "@bulkhead/client";
import { expect, test } from "vitest";
import { groupsOf, readBuiltInSearch } from "./built-in-search.ts";

const tool = (name: string, group: string): BuiltInTool =>
  ({ name, title: name, group, description: `Does ${name}.` }) as BuiltInTool;
const TOOLS = [tool("web_fetch", "web"), tool("read_file", "fs"), tool("web_search", "web")];
const namesOf = (q?: string) =>
  groupsOf(TOOLS, q).map(([group, tools]) => [group, tools.map(({ name }) => name)]);

test("the platform's tools stand by their groups, and words narrow them", () => {
  expect(namesOf()).toEqual([
    ["web", ["web_fetch", "web_search"]],
    ["fs", ["read_file"]],
  ]);
  expect(namesOf("WEB search")).toEqual([["web", ["web_search"]]]);
  expect(namesOf("nothing")).toEqual([]);
  expect(readBuiltInSearch({ q: "", tool: "read_file", x: 1 })).toEqual({ tool: "read_file" });
});
