import type { Embeddings } from "@bulkhead/core";
import { hashOf, wordsOf } from "./words.ts";

/** Numbers of a vector. With 512 the cosine of texts that have nothing in common is 0 ± 0.05. */
const HASHED_DIMENSIONS = 512;
/** Rises with every change of the vectors, which are made anew then. */
export const HASHED_MODEL = "hashed/1";
/** Twice what chance brings. */
const LEAST_COSINE = 0.1;
/** Letters from which on a word has its whole weight. */
const WHOLE_WEIGHT_CHARS = 6;
/** Letters of the pieces of a word. */
const PIECES = [3, 4] as const;

/**
 * Vectors without a model: words and the pieces of words, each at a place and with a sign by its hash (Weinberger et al., Feature
 * Hashing for Large Scale Multitask Learning, 2009; pieces as in Bojanowski et al., Enriching Word Vectors with Subword
 * Information, 2017). They are near each other where texts share words or their parts: other endings, compounds, typing errors.
 */
export function hashedVector(text: string, known = new Map<string, Feature[]>()): Float32Array {
  const vector = new Float32Array(HASHED_DIMENSIONS);
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const [word, count] of counts) {
    let features = known.get(word);
    if (!features) known.set(word, (features = featuresOf(word)));
    // What stands there ten times is not ten times as much meant.
    const times = 1 + Math.log(count);
    for (const { at, weight } of features) vector[at] = (vector[at] ?? 0) + weight * times;
  }
  return vector;
}

/** Of texts that belong together, whose words are the same ones again and again. */
export function hashedVectors(texts: readonly string[]): Float32Array[] {
  const known = new Map<string, Feature[]>();
  return texts.map((text) => hashedVector(text, known));
}

interface Feature {
  at: number;
  weight: number;
}

/** The word, and its pieces, which together weigh as much. */
function featuresOf(word: string): Feature[] {
  const weight = weightOf(word);
  const pieces = piecesOf(word);
  const share = weight / Math.sqrt(pieces.length);
  return [featureOf(word, weight), ...pieces.map((piece) => featureOf(piece, share))];
}

/** The shorter a word, the more texts have it, in every language with an alphabet (Zipf, 1935): short ones tell little. */
const weightOf = (word: string): number =>
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word)
    ? Math.min(1, (word.length / WHOLE_WEIGHT_CHARS) ** 2)
    : 1;

function featureOf(text: string, weight: number): Feature {
  const hash = hashOf(text, 1);
  return { at: hash % HASHED_DIMENSIONS, weight: hash >>> 31 === 1 ? weight : -weight };
}

/** With marks at the word's ends, so that a beginning is no middle. */
function piecesOf(word: string): string[] {
  const marked = `<${word}>`;
  const pieces: string[] = [];
  for (const length of PIECES)
    for (let at = 0; at + length <= marked.length; at += 1) pieces.push(marked.slice(at, at + length));
  return pieces;
}

/** What a deployment has that was given no endpoint. */
export const hashedEmbeddings: Embeddings = {
  model: HASHED_MODEL,
  leastCosine: LEAST_COSINE,
  isRemote: false,
  embed: async ({ texts }) => ({ ok: true, vectors: hashedVectors(texts) }),
  close: async () => undefined,
};
