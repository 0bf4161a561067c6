import { expect, test } from "vitest";
import type { Terminal } from "../terminal/terminal.ts";
import { tellResult } from "./shown-result.ts";

function told(result: unknown): unknown[] {
  const said: unknown[] = [];
  const terminal = {
    text: (text: string) => said.push(text),
    value: (value: unknown) => said.push({ json: value }),
  };
  tellResult(terminal as unknown as Terminal, result);
  return said;
}

const content = (...parts: object[]) => ({ $bulkhead: "content", content: parts });

test.each([
  ["a text", "hello", ["hello"]],
  ["a number", 3, [{ json: 3 }]],
  ["nothing", null, [{ json: null }]],
  ["an object", { a: 1 }, [{ json: { a: 1 } }]],
  ["what is for the person", { $bulkhead: "output", forLLM: "long", forUser: "short" }, ["short"]],
  ["parts", content({ type: "text", text: "a" }, { type: "json", json: [1] }), ["a", { json: [1] }]],
  [
    "a picture",
    content({ type: "image", mimeType: "image/png", data: "A".repeat(4_096) }),
    ["[image, image/png, 3 KiB: --json has it]"],
  ],
  [
    "resources",
    content(
      { type: "resource", resource: { uri: "file:///a", text: "inside" } },
      { type: "resource", resource: { uri: "file:///b", blob: "AAAA" } },
      { type: "resource_link", uri: "https://c.example" },
    ),
    ["inside", "[file:///b]", "[https://c.example]"],
  ],
  [
    "what only looks like content",
    { $bulkhead: "content", content: ["a"] },
    [{ json: { $bulkhead: "content", content: ["a"] } }],
  ],
])("%s is told as people read it", (_what, result, said) => {
  expect(told(result)).toEqual(said);
});
