/** One page of a list, and how to ask for the next. */
export interface Page<Answer, Item> {
  answer: Answer;
  items: readonly Item[];
  /** Null: it is the last one. */
  nextCursor: string | null;
}

/**
 * A list, page by page: `await` gives the first page, `for await` every entry of all pages. Nothing is asked for before one
 * of both is done.
 */
export class Pages<Answer, Item> implements PromiseLike<Answer>, AsyncIterable<Item> {
  readonly #read: (cursor: string | undefined) => Promise<Page<Answer, Item>>;

  constructor(read: (cursor: string | undefined) => Promise<Page<Answer, Item>>) {
    this.#read = read;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- It is meant to be awaited: that is its first page.
  then<Result1 = Answer, Result2 = never>(
    onFulfilled?: ((answer: Answer) => Result1 | PromiseLike<Result1>) | null,
    onRejected?: ((reason: unknown) => Result2 | PromiseLike<Result2>) | null,
  ): Promise<Result1 | Result2> {
    return this.#read(undefined)
      .then(({ answer }) => answer)
      .then(onFulfilled, onRejected);
  }

  catch<Result = never>(
    onRejected: (reason: unknown) => Result | PromiseLike<Result>,
  ): Promise<Answer | Result> {
    return this.then(null, onRejected);
  }

  /** Whole pages instead of their entries. */
  async *pages(): AsyncGenerator<Answer, void, undefined> {
    for await (const { answer } of this.#all()) yield answer;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.#all()) yield* items;
  }

  async *#all(): AsyncGenerator<Page<Answer, Item>, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.#read(cursor);
      yield page;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
}
