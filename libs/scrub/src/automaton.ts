import { buildTrie, type Trie } from "./trie.ts";

/**
 * Finds all of many words in one pass (Aho and Corasick, 1975). States are numbers, 0 the start. Near the start and at
 * forks, where a text mostly is, the next state is one look into a dense table; the long tails of words have one way on
 * each, and fall back along `fail` when it is not taken. A word of n codes takes at most log n steps (Knuth, Morris and
 * Pratt, 1977), from any state: also where many readings go on from one, as with escapes.
 */
export interface Automaton {
  /** Class by code, for codes below its length; all other codes have class 0, which no word has. */
  readonly classes: Uint16Array;
  readonly classCount: number;
  /** States below it have a row in `dense`. */
  readonly denseCount: number;
  readonly dense: Int32Array;
  /** The class that a sparse state goes on with, and the next state. */
  readonly awaited: Uint16Array;
  readonly next: Int32Array;
  /**
   * The state to fall back to when another class follows: it awaits a different class, so that few steps lead to a dense
   * one.
   */
  readonly fail: Int32Array;
  /** How many of the last codes could still become a word. */
  readonly depth: Int32Array;
  /** 1 where some word ends. */
  readonly ends: Uint8Array;
  /** The words that are as long as the state is deep, by their places in the list. */
  readonly words: ReadonlyMap<number, readonly number[]>;
  /** The next shorter state in which a word ends, or 0. */
  readonly shorter: Int32Array;
}

const NOTHING_AWAITED = 0xffff;

/** `foldCase` takes A for a. Words are strings of UTF-16 codes or, for bytes, of Latin-1 characters. */
export function buildAutomaton(words: readonly string[], { foldCase = false } = {}): Automaton {
  const { classes, classCount } = classify(words, foldCase);
  const trie = buildTrie(words, classes);
  const { size } = trie;
  const { numberOf, denseCount } = numberStates(trie);
  const automaton = {
    classes,
    classCount,
    denseCount,
    dense: new Int32Array(denseCount * classCount),
    awaited: new Uint16Array(size).fill(NOTHING_AWAITED),
    next: new Int32Array(size),
    fail: new Int32Array(size),
    depth: new Int32Array(size),
    ends: new Uint8Array(size),
    words: new Map([...trie.words].map(([node, ids]) => [numberOf[node]!, ids])),
    shorter: new Int32Array(size),
  };
  const suffix = new Int32Array(size);
  // In the order of depth, since a state falls back to a less deep one.
  for (const node of trie.byDepth) {
    if (node !== 0) fallBack(automaton, suffix, trie, node, numberOf);
    goOn(automaton, trie, node, numberOf);
    const state = numberOf[node]!;
    automaton.fail[state] = firstOther(automaton, state, suffix[state]!);
  }
  return automaton;
}

/** `suffix` is the longest shorter beginning of a word that a state ends with. */
function fallBack(
  automaton: Automaton,
  suffix: Int32Array,
  trie: Trie,
  node: number,
  numberOf: Int32Array,
): void {
  const { depth, ends, shorter, words, denseCount } = automaton;
  const state = numberOf[node]!;
  const from = numberOf[trie.parent[node]!]!;
  const fallen = from === 0 ? 0 : step(automaton, suffix[from]!, trie.cls[node]!);
  depth[state] = depth[from]! + 1;
  suffix[state] = fallen;
  shorter[state] = words.has(fallen) ? fallen : shorter[fallen]!;
  ends[state] = words.has(state) || shorter[state] !== 0 ? 1 : 0;
  if (state < denseCount) fillRow(automaton, state, fallen);
}

function goOn(automaton: Automaton, trie: Trie, node: number, numberOf: Int32Array): void {
  const { dense, classCount, denseCount, awaited, next } = automaton;
  const state = numberOf[node]!;
  for (let child = trie.firstChild[node]!; child !== 0; child = trie.sibling[child]!) {
    if (state < denseCount) dense[state * classCount + trie.cls[child]!] = numberOf[child]!;
    else {
      awaited[state] = trie.cls[child]!;
      next[state] = numberOf[child]!;
    }
  }
}

/** The first of the states that one falls back to that goes on with something else, or with more. */
function firstOther({ awaited, denseCount, fail }: Automaton, state: number, suffix: number): number {
  if (state < denseCount) return suffix;
  let at = suffix;
  while (at >= denseCount && (awaited[at] === NOTHING_AWAITED || awaited[at] === awaited[state]))
    at = fail[at]!;
  return at;
}

/** The state after one more code of this class. */
export function step(automaton: Automaton, state: number, cls: number): number {
  const { denseCount, dense, classCount, awaited, next, fail } = automaton;
  let at = state;
  while (at >= denseCount) {
    if (awaited[at] === cls) return next[at]!;
    at = fail[at]!;
  }
  return dense[at * classCount + cls]!;
}

/**
 * The row of a state after falling back: that of the nearest dense one, overlaid by the classes that the sparse ones
 * before it await.
 */
function fillRow(automaton: Automaton, state: number, suffix: number): void {
  const { dense, classCount, denseCount, fail, awaited, next } = automaton;
  const sparse: number[] = [];
  let from = suffix;
  for (; from >= denseCount; from = fail[from]!) sparse.push(from);
  dense.copyWithin(state * classCount, from * classCount, (from + 1) * classCount);
  for (const at of sparse.toReversed())
    if (awaited[at] !== NOTHING_AWAITED) dense[state * classCount + awaited[at]!] = next[at]!;
}

/** Dense states come first: the start, the ones after it, and every fork. */
function numberStates(trie: Trie): { numberOf: Int32Array; denseCount: number } {
  const { size, parent, firstChild, sibling } = trie;
  const numberOf = new Int32Array(size);
  const isDense = (node: number): boolean =>
    node === 0 || parent[node] === 0 || (firstChild[node] !== 0 && sibling[firstChild[node]!] !== 0);
  let given = 0;
  for (let node = 0; node < size; node++) if (isDense(node)) numberOf[node] = given++;
  const denseCount = given;
  for (let node = 0; node < size; node++) if (!isDense(node)) numberOf[node] = given++;
  return { numberOf, denseCount };
}

function classify(words: readonly string[], foldCase: boolean): Pick<Automaton, "classes" | "classCount"> {
  const used = new Set<number>();
  for (const word of words) for (let at = 0; at < word.length; at++) used.add(word.charCodeAt(at));
  const classes = new Uint16Array(used.size > 0 && Math.max(...used) > 0xff ? 0x1_0000 : 0x100);
  let classCount = 1;
  for (const code of used) {
    const letter = String.fromCharCode(code);
    const twins = foldCase ? [letter.toLowerCase(), letter.toUpperCase()] : [letter];
    const cls = twins.map((twin) => classes[twin.charCodeAt(0)]!).find((known) => known > 0) ?? classCount++;
    for (const twin of twins) classes[twin.charCodeAt(0)] = cls;
  }
  return { classes, classCount };
}
