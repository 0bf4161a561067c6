import type { BrowserContext } from "playwright-core";
import { expect, test } from "vitest";
import { closeStuck } from "./chromium.ts";
import { Notes } from "./notes.ts";

test("a page that is busy stays, and one that answers nothing is closed and told of", async () => {
  const closed: string[] = [];
  const freed = Promise.withResolvers<number>();
  const pageAt = (url: string, evaluate: () => Promise<unknown>) => ({
    url: () => url,
    evaluate,
    close: async () => void closed.push(url),
  });
  const pages = [
    pageAt("https://busy.example/", () => freed.promise),
    pageAt("https://goes.example/", () => Promise.reject(new Error("Execution context was destroyed"))),
  ];
  const context = { pages: () => pages } as unknown as BrowserContext;
  const notes = new Notes();
  const looking = closeStuck(context, notes, 60_000);
  // Longer than any page needs that is not busy.
  setTimeout(() => freed.resolve(1), 600);
  expect([await looking, closed, notes.take().dismissed.count]).toEqual([true, [], 0]);

  pages.push(pageAt("https://loop.example/", () => new Promise(() => undefined)));
  expect(await closeStuck(context, notes, 10)).toBe(true);
  expect(closed).toEqual(["https://loop.example/"]);
  expect(notes.take().dismissed.first).toEqual([expect.stringMatching(/loop\.example.* was closed/)]);
});
