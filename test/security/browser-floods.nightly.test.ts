import type { BrowserProcess } from "@bulkhead/tools/built-in";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  act,
  home,
  missing,
  newBrowser,
  open,
  pageOf,
  serve,
  shown,
  textWith,
  useSite,
} from "./support/browser-site.ts";

useSite();
let browser: BrowserProcess;
const page = (script: string): void =>
  serve((request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(request.url === "/" ? pageOf(script) : "answered");
  });
beforeAll(async () => {
  if (missing === null) browser = await newBrowser();
});
afterAll(async () => {
  browser?.kill();
  await browser?.ended;
});

describe("a hostile page", () => {
  test("opens as many windows as a browser may have pages, and has no end of history", async () => {
    page(`for (let n = 0; n < 12; n += 1) window.open("/x" + n);
      for (let n = 0; n < 500; n += 1) try { history.pushState(null, "", "/h" + n); } catch {}
      return 1;`);
    const outcome = await open(browser, `${home}/`);
    expect(outcome.notes.dismissed.count).toBeGreaterThanOrEqual(5);
    expect(outcome.notes.dismissed.first.join()).toContain("at most 8 pages");
    expect(await shown(browser)).toBe(1);
    const pages = async (): Promise<string[]> => {
      const listed = await act(browser, { action: "pages" });
      return listed.ok && "pages" in listed.result ? listed.result.pages.map(({ page: name }) => name) : [];
    };
    const all = await pages();
    expect(all).toHaveLength(8);
    for (const name of all)
      expect(await act(browser, { action: "close", page: name })).toMatchObject({ ok: true });
    expect(await pages()).toEqual([]);
  });

  test("that opens windows without end has its browser closed, or all but a few of them", async () => {
    page(`for (;;) window.open("/x" + Math.random());`);
    const flooded = await newBrowser();
    const outcome = await open(flooded, `${home}/`, { timeoutMs: 5_000 });
    expect(outcome).toMatchObject({ ok: false });
    flooded.kill();
    await flooded.ended;
  });

  test("that takes all memory ends its own browser, which says why", async () => {
    page(`const all = []; for (;;) all.push(new Uint8Array(64 << 20).fill(1));`);
    const greedy = await newBrowser();
    const outcome = await open(greedy, `${home}/`).then(async (first) =>
      first.ok ? await act(greedy, { action: "text" }) : first,
    );
    // Either the kernel takes the page alone, or all of the browser.
    expect(outcome).toMatchObject({ ok: false, code: expect.stringMatching(/failed|ended/) as string });
    greedy.kill();
    await greedy.ended;
    page("return 3");
    expect(await open(browser, `${home}/`)).toMatchObject({ ok: true });
    expect(await textWith(browser, "end")).toBe("3 end");
  });
});
