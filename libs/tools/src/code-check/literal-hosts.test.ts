import { expect, test } from "vitest";
import { literalHosts } from "./literal-hosts.ts";

test.each<[string, string, string[]]>([
  ["a text", `return fetch("https://api.example.com/v1?q=1")`, ["api.example.com"]],
  [
    "a template up to its first hole",
    "return fetch(`https://API.example.com/${args.id}`)",
    ["api.example.com"],
  ],
  ["a text with a port", `const base = 'http://localhost:8080'; return base`, ["localhost:8080"]],
  [
    "a text in a text",
    `return "see https://a.example, or <https://b.example/x>"`,
    ["a.example", "b.example"],
  ],
  [
    "several, each once",
    `const a = "https://b.example/", b = "https://a.example/", c = "https://b.example/2"`,
    ["b.example", "a.example"],
  ],
])("the host is told of %s", (_what, code, hosts) => {
  expect(literalHosts(code)).toEqual(hosts);
});

test.each([
  ["a host that goes on in an expression", "return `https://api${args.where}.example.com/`"],
  ["a host that goes on in a sum", `return "https://api." + args.where`],
  ["a whole host in an expression", "return `https://${args.host}/x`"],
  ["a comment", "// https://a.example/\nreturn 1"],
  ["a user's name before the host", `return "https://name:word@a.example/"`],
  ["code that does not compile", `return "https://a.example/`],
])("%s is no host", (_what, code) => {
  expect(literalHosts(code)).toEqual([]);
});
