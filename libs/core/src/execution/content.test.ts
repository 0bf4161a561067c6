import { describe, expect, it, test } from "vitest";
import { JsonText } from "../json/json-text.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { ContentPart } from "./content-part.ts";
import { contentOfMcp, dataOf, forModel, readContent } from "./content.ts";

const marked = (...content: Json[]): JsonObject => ({ $bulkhead: "content", content });
const PARTS: ContentPart[] = [
  { type: "text", text: "a cat" },
  { type: "image", data: "iVBORw==", mimeType: "image/png" },
  { type: "audio", data: "UklG", mimeType: "audio/wav" },
  { type: "resource", resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "a" } },
  { type: "resource", resource: { uri: "file:///a.bin", blob: "AAEC" } },
  { type: "resource_link", uri: "file:///b", name: "b", title: "B" },
  { type: "json", json: { legs: 4 } },
];

test("content is read part by part, and nothing but the fields of a part", () => {
  const said = PARTS.map((part) => ({ ...part, annotations: { priority: 2 }, _meta: {} }));
  expect(readContent(marked(...said))).toEqual({ parts: PARTS, structured: null });
  expect(readContent(marked())).toEqual({ parts: [], structured: null });
  expect(readContent({ ...marked(), structuredContent: { a: 1 } })?.structured).toEqual({ a: 1 });
});

describe("is data, and no content,", () => {
  it.each<[string, Json]>([
    ["null", null],
    ["a list", [marked()]],
    ["an object without the mark", { content: [{ type: "text", text: "a" }] }],
    ["another mark", { $bulkhead: "output", content: [] }],
    ["content that is no list", { $bulkhead: "content", content: "a" }],
    ["structured content that is no object", { ...marked(), structuredContent: [1] }],
    ["a part that is no object", marked("a")],
    ["a part of another type", marked({ type: "video", data: "AAEC", mimeType: "video/mp4" })],
    ["a text without text", marked({ type: "text" })],
    ["an image without its type", marked({ type: "image", data: "AAEC" })],
    ["an image that was covered", marked({ type: "image", data: "AA[REDACTED]", mimeType: "image/png" })],
    ["an image without padding", marked({ type: "image", data: "AAE", mimeType: "image/png" })],
    ["padding in between", marked({ type: "image", data: "A=AA", mimeType: "image/png" })],
    ["nothing but padding", marked({ type: "image", data: "====", mimeType: "image/png" })],
    ["a resource without a place", marked({ type: "resource", resource: { text: "a" } })],
    ["a resource that is empty", marked({ type: "resource", resource: { uri: "a:b" } })],
    ["a resource that is two", marked({ type: "resource", resource: { uri: "a:b", text: "a", blob: "" } })],
    ["a link without a name", marked({ type: "resource_link", uri: "a:b" })],
    ["a link with a title that is none", marked({ type: "resource_link", uri: "a:b", name: "a", title: 1 })],
    ["a value that is missing", marked({ type: "json" })],
  ])("%s", (_what, value) => {
    expect(readContent(value)).toBeNull();
    expect(dataOf(value)).toEqual(value);
  });
});

test("a model gets what is for it, and all of any other result", () => {
  const output = { $bulkhead: "output", forLLM: "short", forUser: { long: true } };
  expect(forModel(output)).toBe("short");
  expect(forModel(new JsonText(JSON.stringify(output)))).toBe("short");
  expect(forModel({ ...output, forLLM: null })).toBeNull();
  for (const other of [null, "a", { forLLM: 1 }, { $bulkhead: "output" }, marked()])
    expect(forModel(other)).toBe(other);
});

test("a large result without a mark is handed on unread", () => {
  const unread = new JsonText("no JSON at all");
  expect(forModel(unread)).toBe(unread);
});

describe("an output schema is about", () => {
  it.each<[string, Json, Json]>([
    ["a result of data", { a: 1 }, { a: 1 }],
    [
      "the structured content",
      { ...marked({ type: "json", json: 1 }), structuredContent: { a: 1 } },
      { a: 1 },
    ],
    ["the only value among the parts", marked(PARTS[0] as Json, { type: "json", json: [1] }), [1]],
    ["nothing where there are two", marked({ type: "json", json: 1 }, { type: "json", json: 2 }), null],
    ["nothing where there is none", marked(PARTS[0] as Json), null],
  ])("%s", (_what, value, data) => {
    expect(dataOf(value)).toEqual(data);
  });
});

test("what another's server answers is content, with what it calls otherwise as values", () => {
  const strange = { type: "hologram", depth: 3 };
  const answer = { content: [PARTS[0] as Json, strange, "x"], structuredContent: { a: 1 }, _meta: {} };
  const result = contentOfMcp(answer);
  expect(readContent(result)).toEqual({
    parts: [PARTS[0], { type: "json", json: strange }, { type: "json", json: "x" }],
    structured: { a: 1 },
  });
  expect(contentOfMcp({ structuredContent: "no" })).toEqual(marked());
});
