/**
 * Yields what each source yields, as it comes. When the reader stops, `stop` is called, which has to end them all: a source
 * that waits for its next event can't be told so itself. Ends with the last source.
 */
export async function* mergeEvents<Event>(
  sources: readonly AsyncIterable<Event>[],
  stop: () => void,
): AsyncGenerator<Event, void, undefined> {
  type Next = { iterator: AsyncIterator<Event>; result: IteratorResult<Event, unknown> };
  const pull = async (iterator: AsyncIterator<Event>): Promise<Next> => ({
    iterator,
    result: await iterator.next(),
  });
  const waiting = new Map<AsyncIterator<Event>, Promise<Next>>();
  for (const source of sources) {
    const iterator = source[Symbol.asyncIterator]();
    waiting.set(iterator, pull(iterator));
  }
  try {
    while (waiting.size > 0) {
      const { iterator, result } = await Promise.race(waiting.values());
      waiting.delete(iterator);
      if (result.done) continue;
      yield result.value;
      // Behind the others, so that one that always has more leaves them their turn.
      waiting.set(iterator, pull(iterator));
    }
  } finally {
    stop();
    // What is still asked for is answered to nobody.
    void Promise.allSettled(waiting.values());
  }
}
