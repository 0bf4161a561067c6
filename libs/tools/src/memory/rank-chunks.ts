import type { ComparedVectors, WordCounts } from "./weights.ts";

/** What of a document is ranked. */
export interface RankedContent {
  hash: string;
  words: WordCounts;
  vectors: ComparedVectors | null;
}

/** What is looked for. */
export interface RankedQuery {
  /** Hashes of its words, each once. */
  words: readonly number[];
  /** Null: words alone are looked for. */
  vector: ArrayLike<number> | null;
  leastCosine: number;
}

/** The chunk `at` of the content `of`, both by their places. */
export interface RankedChunk {
  of: number;
  at: number;
  /** From 0 to 1: it is the first of every list. */
  score: number;
}

/** BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009), with the constants that are usual. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
/** Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009), with their constant. */
const FUSION = 60;
/** Of each list so many are joined. */
const CANDIDATES_MAX = 200;
/** Chunks that are looked at before others have a turn: some milliseconds. */
const CHUNKS_A_TURN = 4_000;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The best ones first: by words, by vectors, and both lists joined. */
export async function rankChunks(
  contents: readonly RankedContent[],
  query: RankedQuery,
): Promise<RankedChunk[]> {
  const lists = [await byWords(contents, query.words)];
  if (query.vector !== null) lists.push(await byVector(contents, query.vector, query.leastCosine));
  return fuse(lists);
}

type Scored = RankedChunk;

const byScore = (one: Scored, other: Scored): number =>
  other.score - one.score || one.of - other.of || one.at - other.at;

/** The best ones, in their order; few of many are sorted. */
function best(found: readonly Scored[]): Scored[] {
  const least =
    Float64Array.from(found, ({ score }) => score)
      .sort()
      .at(-CANDIDATES_MAX) ?? 0;
  return found
    .filter(({ score }) => score >= least)
    .toSorted(byScore)
    .slice(0, CANDIDATES_MAX);
}

async function byWords(contents: readonly RankedContent[], words: readonly number[]): Promise<Scored[]> {
  const total = contents.reduce((sum, { words: { chunks } }) => sum + chunks, 0);
  const counts = new Uint8Array(total * words.length);
  const having = new Uint32Array(words.length);
  let allWords = 0;
  let row = 0;
  for (const { words: own } of contents)
    for (let at = 0; at < own.chunks; at += 1) {
      allWords += own.lengths[at] ?? 0;
      for (let n = 0; n < words.length; n += 1) {
        const count = countIn(own, at, words[n] ?? 0);
        if (count === 0) continue;
        counts[row * words.length + n] = count;
        having[n] = (having[n] ?? 0) + 1;
      }
      row += 1;
      if (row % CHUNKS_A_TURN === 0) await nextTurn();
    }
  const rarity = Array.from(having, (some) => Math.log(1 + (total - some + 0.5) / (some + 0.5)));
  const average = Math.max(1, allWords / Math.max(1, total));
  const found: Scored[] = [];
  row = 0;
  for (const [of, { words: own }] of contents.entries())
    for (let at = 0; at < own.chunks; at += 1) {
      const length = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * (own.lengths[at] ?? 0)) / average;
      let score = 0;
      for (let n = 0; n < words.length; n += 1) {
        const count = counts[row * words.length + n] ?? 0;
        if (count > 0) score += ((rarity[n] ?? 0) * count * (SATURATION + 1)) / (count + SATURATION * length);
      }
      if (score > 0) found.push({ of, at, score });
      row += 1;
    }
  return best(found);
}

function countIn({ starts, hashes, counts }: WordCounts, chunk: number, hash: number): number {
  let low = starts[chunk] ?? 0;
  let high = starts[chunk + 1] ?? 0;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hashes[middle] ?? 0) < hash) low = middle + 1;
    else high = middle;
  }
  return low < (starts[chunk + 1] ?? 0) && hashes[low] === hash ? (counts[low] ?? 0) : 0;
}

async function byVector(
  contents: readonly RankedContent[],
  vector: ArrayLike<number>,
  leastCosine: number,
): Promise<Scored[]> {
  const length = Math.hypot(...Array.from(vector));
  if (length === 0) return [];
  // Of the hashed vector of a query most numbers are zero.
  const places = Uint32Array.from({ length: vector.length }, (_, n) => n).filter((n) => vector[n] !== 0);
  const asked = Float64Array.from(places, (n) => vector[n] ?? 0);
  const found: Scored[] = [];
  let looked = 0;
  for (const [of, { vectors }] of contents.entries()) {
    // Of another model, whatever its name, there is nothing to be compared.
    if (vectors?.dimensions !== vector.length) continue;
    const { dimensions, values, lengths } = vectors;
    for (let at = 0; at < lengths.length; at += 1) {
      const own = lengths[at] ?? 0;
      const score = own === 0 ? 0 : product(values, at * dimensions, places, asked) / (own * length);
      if (score > leastCosine) found.push({ of, at, score });
      looked += 1;
      if (looked % CHUNKS_A_TURN === 0) await nextTurn();
    }
  }
  return best(found);
}

/** Of what is asked at these places and the numbers there behind `from`. */
function product(values: Int8Array, from: number, places: Uint32Array, asked: Float64Array): number {
  let sum = 0;
  for (let n = 0; n < places.length; n += 1) sum += (values[from + (places[n] ?? 0)] ?? 0) * (asked[n] ?? 0);
  return sum;
}

/** Joins lists by the places of a chunk in them, since their scores have nothing in common. */
function fuse(lists: readonly (readonly Scored[])[]): Scored[] {
  const joined = new Map<string, Scored>();
  for (const list of lists)
    for (const [place, { of, at }] of list.entries()) {
      const key = `${of}:${at}`;
      const one = joined.get(key) ?? { of, at, score: 0 };
      one.score += (FUSION + 1) / (FUSION + 1 + place) / lists.length;
      joined.set(key, one);
    }
  return [...joined.values()].toSorted(byScore);
}
