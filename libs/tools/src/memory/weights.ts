import type { MemoryVectors } from "@bulkhead/core";
import { hashOf, wordsOf } from "./words.ts";

/** How often which words stand in each chunk of a document. */
export interface WordCounts {
  chunks: number;
  /** The words of chunk `n` are those from `starts[n]` to `starts[n + 1]`, by their hashes. */
  starts: Uint32Array;
  /** Rising within a chunk. */
  hashes: Uint32Array;
  counts: Uint8Array;
  /** How many words each chunk has. */
  lengths: Uint32Array;
}

/** A word's count in a chunk is told up to this. */
const COUNT_MAX = 255;
const BYTES = Uint32Array.BYTES_PER_ELEMENT;
const HEAD = 2;

/** As it is stored: the number of chunks and of words, then the four lists of numbers, little-endian as every machine here is. */
export function packWords(texts: readonly string[]): Uint8Array {
  const chunks = texts.map(countWords);
  const total = chunks.reduce((sum, { counts }) => sum + counts.length, 0);
  const numbers = new Uint32Array(HEAD + (chunks.length + 1) + chunks.length + total);
  const packed = new Uint8Array(numbers.length * BYTES + total);
  numbers[0] = chunks.length;
  numbers[1] = total;
  const starts = HEAD;
  const lengths = starts + chunks.length + 1;
  const hashes = lengths + chunks.length;
  let at = 0;
  for (const [n, chunk] of chunks.entries()) {
    numbers[starts + n] = at;
    numbers[lengths + n] = chunk.length;
    for (const [hash, count] of chunk.counts) {
      numbers[hashes + at] = hash;
      packed[numbers.length * BYTES + at] = Math.min(count, COUNT_MAX);
      at += 1;
    }
  }
  numbers[starts + chunks.length] = at;
  packed.set(new Uint8Array(numbers.buffer));
  return packed;
}

export function unpackWords(packed: Uint8Array): WordCounts {
  // A copy, since numbers have to stand at a multiple of four.
  const { buffer } = Uint8Array.from(packed);
  const [chunks = 0, total = 0] = new Uint32Array(buffer, 0, HEAD);
  const lengths = HEAD + chunks + 1;
  const hashes = lengths + chunks;
  return {
    chunks,
    starts: new Uint32Array(buffer, HEAD * BYTES, chunks + 1),
    lengths: new Uint32Array(buffer, lengths * BYTES, chunks),
    hashes: new Uint32Array(buffer, hashes * BYTES, total),
    counts: new Uint8Array(buffer, (hashes + total) * BYTES, total),
  };
}

function countWords(text: string): { length: number; counts: [number, number][] } {
  const counts = new Map<number, number>();
  const words = wordsOf(text);
  for (const word of words) {
    const hash = hashOf(word);
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  return { length: words.length, counts: [...counts].toSorted(([one], [other]) => one - other) };
}

const LARGEST = 127;

/** Vectors as they are stored: each by its largest number, in signed bytes. Their directions differ by less than half a degree then. */
export function packVectors(model: string, vectors: readonly ArrayLike<number>[]): MemoryVectors {
  const dimensions = vectors[0]?.length ?? 0;
  const values = new Int8Array(dimensions * vectors.length);
  for (const [n, vector] of vectors.entries()) {
    let largest = 0;
    for (let at = 0; at < dimensions; at += 1) largest = Math.max(largest, Math.abs(vector[at] ?? 0));
    if (largest === 0) continue;
    for (let at = 0; at < dimensions; at += 1)
      values[n * dimensions + at] = Math.round(((vector[at] ?? 0) / largest) * LARGEST);
  }
  return { model, dimensions, values: new Uint8Array(values.buffer) };
}

/** Vectors as they are compared: with the length of each. */
export interface ComparedVectors {
  dimensions: number;
  values: Int8Array;
  lengths: Float32Array;
}

export function unpackVectors({ dimensions, values: packed }: Omit<MemoryVectors, "model">): ComparedVectors {
  const values = Int8Array.from(new Int8Array(packed.buffer, packed.byteOffset, packed.byteLength));
  const lengths = new Float32Array(dimensions === 0 ? 0 : values.length / dimensions);
  for (let n = 0; n < lengths.length; n += 1) {
    let sum = 0;
    for (let at = n * dimensions; at < (n + 1) * dimensions; at += 1) sum += (values[at] ?? 0) ** 2;
    lengths[n] = Math.sqrt(sum);
  }
  return { dimensions, values, lengths };
}
