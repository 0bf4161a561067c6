import { forModel, readContent, type Json } from "@bulkhead/core";
import { describe, expect, it, test } from "vitest";
import { content, output } from "./content.ts";

const BYTES = new Uint8Array([0, 1, 2, 250]);
const BASE64 = "AAEC+g==";
const image = (data: unknown) => ({ type: "image", data, mimeType: "image/png" });

test("the platform reads what is made here, part by part", () => {
  const parts = [
    { type: "text", text: "a cat" },
    image(BASE64),
    { type: "audio", data: BASE64, mimeType: "audio/wav; codecs=1" },
    { type: "resource", resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "a" } },
    { type: "resource", resource: { uri: "file:///a.bin", blob: BASE64 } },
    { type: "json", json: { legs: [4] } },
  ];
  const made = content(parts);
  expect(made).toEqual({ $bulkhead: "content", content: parts });
  expect(readContent(made as Json)).toEqual({ parts, structured: null });
  expect(readContent(content([]) as Json)).toEqual({ parts: [], structured: null });
  expect(forModel(output({ forLLM: made, forUser: "a cat" }) as Json)).toBe(made);
});

it.each([
  ["an array of bytes", BYTES],
  ["a part of one", new Uint8Array([9, ...BYTES, 9]).subarray(1, 5)],
  ["a buffer", BYTES.buffer],
  ["another view", new DataView(BYTES.buffer)],
  ["base64", BASE64],
  ["base64 without padding, with line breaks", "AAEC\n+g"],
])("bytes may be %s", (_what, data) => {
  expect(content([image(data)])).toEqual(content([image(BASE64)]));
});

it("a text may be a number, and any value goes as json", () => {
  const parts = [
    { type: "text", text: 5 },
    { type: "json", json: null },
  ];
  expect(content(parts)).toMatchObject({ content: [{ text: "5" }, { json: null }] });
});

describe("content names what is wrong", () => {
  it.each([
    ["no list", "a", "parts must be an array"],
    ["no object", ["a"], "parts[0] must be an object"],
    ["a list in it", [[]], "parts[0] must be an object"],
    ["nothing in it", [null], "parts[0] must be an object"],
    ["another type", [{ type: "video" }], "parts[0].type must be one of text, image, audio, resource, json"],
    ["no type", [{ text: "a" }], "parts[0].type must be one of text, image, audio, resource, json"],
    ["a text that is none", [{ type: "text", text: {} }], "parts[0].text must be a string"],
    ["a field too many", [{ ...image(BYTES), alt: "a cat" }], 'parts[0] has a field "alt" too many'],
    ["a data URL", [image("data:image/png;base64,AAEC")], "parts[0].data must be bytes, or base64 without"],
    ["a list of numbers", [image([1, 2])], "parts[0].data must be bytes, or base64 without"],
    ["no type of the data", [{ ...image(BYTES), mimeType: undefined }], "parts[0].mimeType must be a string"],
    ["a type that is a suffix", [{ ...image(BYTES), mimeType: "png" }], "must be like image/png"],
    ["no resource", [{ type: "resource" }], "parts[0].resource must be an object"],
    [
      "an empty resource",
      [{ type: "resource", resource: { uri: "a:b" } }],
      "must have text or blob, and not both",
    ],
    [
      "a resource that is two",
      [{ type: "resource", resource: { uri: "a:b", text: "a", blob: BYTES } }],
      "parts[0].resource must have text or blob, and not both",
    ],
    [
      "a resource without a place",
      [{ type: "resource", resource: { text: "a" } }],
      "resource.uri must be a string",
    ],
    ["no value", [{ type: "text", text: "" }, { type: "json" }], "parts[1].json is missing"],
  ])("%s", (_what, parts, message) => {
    expect(() => content(parts)).toThrow(TypeError);
    expect(() => content(parts)).toThrow(`utils.content: `);
    expect(() => content(parts)).toThrow(message);
  });
});

describe("output names what is wrong", () => {
  it.each([
    ["no object", "a", "value must be an object"],
    ["nothing for the model", { forUser: 1 }, "forLLM is missing"],
    ["nothing for the person", { forLLM: 1 }, "forUser is missing"],
    ["a misspelt name", { forLLM: 1, forUser: 1, forLlm: 1 }, 'value has a field "forLlm" too many'],
  ])("%s", (_what, given, message) => {
    expect(() => output(given)).toThrow(new TypeError(`utils.output: ${message}`));
  });
});
