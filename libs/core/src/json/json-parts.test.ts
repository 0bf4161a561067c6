import { expect, test } from "vitest";
import { JsonParts } from "./json-parts.ts";

function partsOf(text: string, pieceBytes = Infinity): number {
  const parts = new JsonParts();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) parts.take(bytes.subarray(at, at + pieceBytes));
  return parts.count;
}

test.each([
  ["nothing but texts and numbers", '"a:[{"', 0],
  ["names, objects and lists", '{"a":[1,2,{"b":null}],"c":"d"}', 6],
  ["signs within texts and names", '{":[{\\":[{":"\\\\","é:":":[{\\\\\\""}', 3],
])("of %s it counts what parsing makes", (_what, text, count) => {
  expect([1, 2, 3, 7, Infinity].map((bytes) => partsOf(text, bytes))).toEqual(Array(5).fill(count));
});

test("a quote in another line than the JSON hides nothing of it", () => {
  for (const end of ["\n", "\r", "\r\n"]) expect(partsOf(`id; "${end}{"a":1}`)).toBe(2);
});

test("the next text is counted from the beginning", () => {
  const parts = new JsonParts();
  parts.take(Buffer.from('{"a":"\\'));
  parts.reset();
  parts.take(Buffer.from("[[]]"));
  expect(parts.count).toBe(2);
});
