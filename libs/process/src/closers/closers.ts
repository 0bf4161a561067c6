/** Something that was opened and must be closed. */
export interface Closable {
  close(): Promise<void> | void;
}

/** Closes what was opened, last in first out, each within a bound, and reports every failure at once. */
export class Closers {
  readonly #open: { name: string; close: () => Promise<void> | void }[] = [];
  #closing: Promise<void> | undefined;

  /** Registers something for closing and hands it back. */
  add<T extends Closable>(name: string, opened: T): T {
    this.#open.push({ name, close: () => opened.close() });
    return opened;
  }

  defer(name: string, close: () => Promise<void> | void): void {
    this.#open.push({ name, close });
  }

  /** Safe to call again: every call waits for the one closing. Throws an AggregateError of all that failed. */
  close(msMaxEach = 10_000): Promise<void> {
    this.#closing ??= this.#closeAll(msMaxEach);
    return this.#closing;
  }

  async #closeAll(msMaxEach: number): Promise<void> {
    const failures: Error[] = [];
    for (const { name, close } of this.#open.toReversed()) {
      try {
        await within(msMaxEach, name, close);
      } catch (cause) {
        failures.push(new Error(`closing ${name} failed: ${String(cause)}`, { cause }));
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, failures.map((f) => f.message).join("; "));
  }
}

async function within(msMax: number, name: string, close: () => Promise<void> | void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} did not close within ${msMax} ms`)), msMax);
  });
  try {
    await Promise.race([Promise.resolve(close()), late]);
  } finally {
    clearTimeout(timer);
  }
}
