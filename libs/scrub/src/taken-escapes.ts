/** An escape that was read by its meaning, and the ones before it in the same reading. Places are the text's. */
export interface Taken {
  readonly from: number;
  readonly to: number;
  /** How many codes it says. */
  readonly codes: number;
  /** How many codes are read where it ends, counted as in the text up to the first one. */
  readonly readCodes: number;
  /** How many there are, with those before that are known. */
  readonly count: number;
  readonly before: Taken | null;
  /**
   * One further back, so that any of them is reached in logarithmically many steps (Myers, 1983); null for the first one.
   */
  readonly jump: Taken | null;
}

/** The list with one more escape, which stands for so many codes. */
export function appendTaken(before: Taken | null, from: number, to: number, codes: number): Taken {
  const readCodes = (before ? readCodesAt(before, from) : from) + codes;
  return link(before, from, to, codes, readCodes);
}

function link(before: Taken | null, from: number, to: number, codes: number, readCodes: number): Taken {
  return { from, to, codes, readCodes, count: (before?.count ?? 0) + 1, before, jump: jumpFrom(before) };
}

/** Two jumps of one length make one of both. */
function jumpFrom(before: Taken | null): Taken | null {
  const jump = before?.jump;
  const further = jump?.jump;
  if (!before || !jump || !further) return before;
  return before.count - jump.count === jump.count - further.count ? further : before;
}

/** How many codes are read up to a place behind the last one. */
export const readCodesAt = (last: Taken, at: number): number => last.readCodes + at - last.to;

/** The position in the text at which the last so many codes of a reading begin; the text is read up to `at`. */
export function findStart(last: Taken, at: number, codes: number): number {
  const first = readCodesAt(last, at) - codes;
  if (last.readCodes <= first) return at - codes;
  const { from, codes: said, readCodes } = oldestBehind(last, first);
  return from - Math.max(0, readCodes - said - first);
}

/** The first one that ends behind so many codes that are read; the last one does. */
function oldestBehind(last: Taken, readCodes: number): Taken {
  let oldest = last;
  for (;;) {
    const { before, jump } = oldest;
    if (!before || before.readCodes <= readCodes) return oldest;
    oldest = jump && jump.readCodes > readCodes ? jump : before;
  }
}

/** Copies lists that may share their beginnings, without escapes that end at or before this place of the text. */
export function copyFrom(place: number): { copy: (last: Taken) => Taken; copied: () => number } {
  const copies = new Map<Taken, Taken>();
  const copy = (last: Taken): Taken => {
    const missing = [last];
    let known = last.before;
    for (; known && known.to > place && !copies.has(known); known = known.before) missing.push(known);
    let before = (known && copies.get(known)) ?? null;
    for (const taken of missing.toReversed()) {
      before = link(before, taken.from, taken.to, taken.codes, taken.readCodes);
      copies.set(taken, before);
    }
    return before!;
  };
  return { copy: (last) => copies.get(last) ?? copy(last), copied: () => copies.size };
}
