import * as fc from "fast-check";
import { expect, test } from "vitest";
import { HASHED_MODEL, hashedEmbeddings, hashedVector, hashedVectors } from "./hashed-embeddings.ts";
import { rankChunks, type RankedContent } from "./rank-chunks.ts";
import { packVectors, packWords, unpackVectors, unpackWords } from "./weights.ts";
import { hashOf, wordsOf } from "./words.ts";

const contentOf = (texts: string[], hash = texts.join()): RankedContent => ({
  hash,
  words: unpackWords(packWords(texts)),
  vectors: unpackVectors(packVectors(HASHED_MODEL, hashedVectors(texts))),
});
const rank = async (contents: RankedContent[], query: string, byVector = true) =>
  rankChunks(contents, {
    words: [...new Set(wordsOf(query).map((word) => hashOf(word)))],
    vector: byVector ? hashedVector(query) : null,
    leastCosine: hashedEmbeddings.leastCosine,
  });

const DOG = "Anna's dog is called Rex and lives in the house near the lake; he likes sausages.";
const DATABASE = "The database has eight connections in its pool, and the API waits for one of them.";
const JAPANESE = "東京都に住んでいます。毎朝コーヒーを飲みます。";
const contents = [contentOf([DOG, DATABASE]), contentOf([JAPANESE])];

test.each([
  ["What is the name of Anna's dog?", 0, 0],
  ["sausage", 0, 0],
  ["pool of the connection", 0, 1],
  ["databse conection", 0, 1],
  ["コーヒー", 1, 0],
])("%s is answered by the lines that tell it", async (query, content, at) => {
  const [first] = await rank(contents, query);
  expect(first).toMatchObject({ of: content, at });
});

test("what is first by words and by vectors has the score 1, and what one of them finds 0.5 at most", async () => {
  const [first, ...others] = await rank(contents, "Anna's dog Rex");
  expect(first?.score).toBe(1);
  expect(others.every(({ score }) => score < 1)).toBe(true);
  const [typed] = await rank(contents, "sausagess");
  expect(typed?.score).toBe(0.5);
  const [byWords] = await rank(contents, "sausages", false);
  expect(byWords?.score).toBe(1);
});

test("a rare word says more than one that every chunk has", async () => {
  const texts = Array.from({ length: 20 }, (_, n) => `the the the report of the week ${n}`);
  const many = [contentOf([...texts, "one word about the zebra"])];
  const [first] = await rank(many, "the zebra", false);
  expect(first?.at).toBe(20);
});

test("nothing is found where no word and no part of one is the same", async () => {
  expect(await rank(contents, "xqzw")).toEqual([]);
  expect(await rank(contents, "?!")).toEqual([]);
  expect(await rank([], "Anna")).toEqual([]);
});

test("vectors of another length are not compared", async () => {
  const strange = { ...contentOf([DOG]), vectors: unpackVectors(packVectors("other", [[1, 2, 3]])) };
  const [first] = await rank([strange], "dog");
  expect(first?.score).toBe(0.5);
});

test("words are counted as they were packed, whatever the texts", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 200 }), { maxLength: 8 }), (texts) => {
      const packed = packWords(texts);
      // As the driver has it: in the middle of other bytes.
      const within = Buffer.concat([Buffer.alloc(3), packed]).subarray(3);
      const { chunks, starts, hashes, counts, lengths } = unpackWords(within);
      expect(chunks).toBe(texts.length);
      for (const [n, text] of texts.entries()) {
        const words = wordsOf(text);
        expect(lengths[n]).toBe(words.length);
        const own = Array.from(hashes.subarray(starts[n], starts[n + 1]));
        expect(own).toEqual([...new Set(words.map((word) => hashOf(word)))].toSorted((a, b) => a - b));
        const sum = counts.slice(starts[n], starts[n + 1]).reduce((one, other) => one + other, 0);
        expect(sum).toBe(words.length);
      }
    }),
    { numRuns: 100 },
  );
});

test("packed vectors keep their direction", () => {
  const vector = Float32Array.from({ length: 64 }, (_, n) => Math.sin(n) / (n + 1));
  const { values, lengths } = unpackVectors(packVectors("a", [vector, new Float32Array(64)]));
  const dot = vector.reduce((sum, one, n) => sum + one * (values[n] ?? 0), 0);
  expect(dot / (Math.hypot(...vector) * (lengths[0] ?? 0))).toBeGreaterThan(0.999);
  expect(lengths[1]).toBe(0);
});
