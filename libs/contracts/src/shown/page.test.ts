import { expect, test } from "vitest";
import { oneMore, pageOf } from "./page.ts";

const rows = ["a", "b", "c", "d", "e", "f"];

/** All pages of so many rows, read as a client reads them. */
function readAll(count: number, limit: number): string[][] {
  const pages: string[][] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const behind: string = cursor;
    const found = rows.slice(0, count).filter((row) => row > behind);
    const { page, nextCursor } = pageOf(found.slice(0, oneMore(limit)), limit, (row) => row);
    pages.push(page);
    cursor = nextCursor;
  }
  return pages;
}

test.each([
  [0, 2, [[]]],
  [1, 2, [["a"]]],
  [2, 2, [["a", "b"]]],
  [3, 2, [["a", "b"], ["c"]]],
  [
    4,
    2,
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  [6, 6, [rows]],
])(
  "%i rows in pages of %i: no row twice, none lost, and no empty page behind a full one",
  (count, limit, pages) => {
    expect(readAll(count, limit)).toEqual(pages);
  },
);
