/** The words as a tree of prefixes; nodes are numbers, 0 the root, and 0 also says "none". */
export interface Trie {
  size: number;
  parent: Int32Array;
  cls: Uint16Array;
  firstChild: Int32Array;
  sibling: Int32Array;
  /** The words that end at a node, by their places in the list. */
  words: Map<number, number[]>;
  byDepth: Int32Array;
}

export function buildTrie(words: readonly string[], classes: Uint16Array): Trie {
  const sizeMax = words.reduce((sum, word) => sum + word.length, 1);
  const trie: Trie = {
    size: 1,
    parent: new Int32Array(sizeMax),
    cls: new Uint16Array(sizeMax),
    firstChild: new Int32Array(sizeMax),
    sibling: new Int32Array(sizeMax),
    words: new Map(),
    byDepth: new Int32Array(0),
  };
  words.forEach((word, id) => {
    const node = insert(trie, word, classes);
    const there = trie.words.get(node);
    if (there) there.push(id);
    else trie.words.set(node, [id]);
  });
  trie.byDepth = orderByDepth(trie);
  return trie;
}

function insert(trie: Trie, word: string, classes: Uint16Array): number {
  const { firstChild, sibling, cls, parent } = trie;
  let node = 0;
  for (let at = 0; at < word.length; at++) {
    const wanted = classes[word.charCodeAt(at)]!;
    let child = firstChild[node]!;
    while (child !== 0 && cls[child] !== wanted) child = sibling[child]!;
    if (child === 0) {
      child = trie.size++;
      cls[child] = wanted;
      parent[child] = node;
      sibling[child] = firstChild[node]!;
      firstChild[node] = child;
    }
    node = child;
  }
  return node;
}

function orderByDepth({ size, firstChild, sibling }: Trie): Int32Array {
  const order = new Int32Array(size);
  let found = 1;
  for (let at = 0; at < found; at++)
    for (let child = firstChild[order[at]!]!; child !== 0; child = sibling[child]!) order[found++] = child;
  return order;
}
