import { InvalidArgumentError, type Command } from "commander";
import type { Terminal } from "../terminal/terminal.ts";

const LIMIT_DEFAULT = 50;
const PAGE_MAX = 200;

export interface ListOptions {
  limit: number;
  all?: true;
}

/** A whole number from `min` on, as the value of an option. */
export const wholeNumber =
  (min: number) =>
  (text: string): number => {
    const number = Number(text);
    if (/^\d{1,15}$/.test(text) && number >= min) return number;
    throw new InvalidArgumentError(`It must be a whole number, ${min} or more.`);
  };

/** An option that may come several times. */
export const collect = (text: string, before: readonly string[] = []): string[] => [...before, text];

export const listOptions = (command: Command): Command =>
  command
    .option("-n, --limit <count>", "at most so many", wholeNumber(1), LIMIT_DEFAULT)
    .option("--all", "all there are");

/** The size of the pages that are asked for. */
export const pageLimit = ({ limit, all }: ListOptions): number =>
  all ? PAGE_MAX : Math.min(limit + 1, PAGE_MAX);

/** As many entries as were asked for; `more` says whether there are others. */
export async function takeItems<Item>(
  items: AsyncIterable<Item>,
  { limit, all }: ListOptions,
): Promise<{ items: Item[]; more: boolean }> {
  const taken: Item[] = [];
  for await (const item of items) {
    if (!all && taken.length === limit) return { items: taken, more: true };
    taken.push(item);
  }
  return { items: taken, more: false };
}

/** Tells that a list was cut, or is empty. */
export function noteListEnd(
  terminal: Terminal,
  taken: { items: unknown[]; more: boolean },
  none: string,
): void {
  if (taken.items.length === 0) terminal.next(none, "dim");
  if (taken.more)
    terminal.next(`These are the first ${taken.items.length}. More: --limit <count> or --all`, "dim");
}
