import { expect, test } from "vitest";
import { toModelOutput } from "./model-output.ts";

const content = (...parts: unknown[]) => ({ $bulkhead: "content", content: parts });

test.each([
  ["a text", "fine", { type: "text", value: "fine" }],
  ["data", { a: [1] }, { type: "json", value: { a: [1] } }],
  ["nothing", null, { type: "json", value: null }],
  [
    "what was refused",
    { $bulkhead: "error", code: "tool.threw", refusal: "not_found", message: "There is no file a." },
    { type: "error-text", value: "not_found: There is no file a." },
  ],
  [
    "what is for the model",
    { $bulkhead: "output", forLLM: "short", forUser: "long" },
    { type: "text", value: "short" },
  ],
  [
    "what is for the model, and is content",
    { $bulkhead: "output", forLLM: content({ type: "text", text: "a" }) },
    { type: "content", value: [{ type: "text", text: "a" }] },
  ],
])("a model gets %s", (_what, output, expected) => {
  expect(toModelOutput(output)).toEqual(expected);
});

test("parts of content are text and files", () => {
  const output = content(
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "audio", data: "aGk=", mimeType: "audio/mpeg" },
    { type: "resource", resource: { uri: "file:///a", text: "words" } },
    { type: "resource", resource: { uri: "file:///b", mimeType: "application/pdf", blob: "aGk=" } },
    { type: "resource", resource: { uri: "file:///c", blob: "aGk=" } },
    { type: "resource_link", uri: "https://a.example", name: "A" },
    { type: "json", json: { a: 1 } },
  );
  const text = (said: string) => ({ type: "text", text: said });
  const file = (mediaType: string) => ({ type: "file", data: { type: "data", data: "aGk=" }, mediaType });
  const links = [text("A file: file:///c"), text("A: https://a.example"), text('{"a":1}')];
  expect(toModelOutput(output)).toEqual({
    type: "content",
    value: [file("image/png"), file("audio/mpeg"), text("words"), file("application/pdf"), ...links],
  });
  const bytes = (type: string, mediaType: string) => ({ type, data: "aGk=", mediaType });
  expect(toModelOutput(output, false)).toEqual({
    type: "content",
    value: [
      bytes("image-data", "image/png"),
      bytes("file-data", "audio/mpeg"),
      text("words"),
      bytes("file-data", "application/pdf"),
      ...links,
    ],
  });
});

test("what only looks like content is data", () => {
  const output = content({ type: "image", data: 3 });
  expect(toModelOutput(output)).toEqual({ type: "json", value: output });
});
