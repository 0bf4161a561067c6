/** Items with their place in the batch, in the order of their ids: two batches that meet then lock in the same order. */
export function inIdOrder<T>(batch: readonly T[], idOf: (item: T) => string): { item: T; place: number }[] {
  const ids = batch.map(idOf);
  const order = [...batch.keys()].sort((a, b) => compare(ids[a], ids[b]));
  return order.flatMap((place) => batch.slice(place, place + 1).map((item) => ({ item, place })));
}

const compare = (a = "", b = ""): number => (a < b ? -1 : Number(a > b));

/** Puts answers, each with its place, into the order of the batch; null where there is none. */
export function byPlace<A>(length: number, answers: readonly { place: number; answer: A }[]): (A | null)[] {
  const placed = Array.from({ length }, (): A | null => null);
  for (const { place, answer } of answers) placed[place] = answer;
  return placed;
}
