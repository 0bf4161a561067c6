import { Bulkhead } from "@bulkhead/client";
import type { Page } from "playwright-core";
import { startBrowser, type Browser } from "../../support/browser.ts";
import { createTool, openTenant, RATES_LIFTED, startProduct } from "../product.ts";
import { percentile } from "../load.ts";
import { START_SECONDS, type Figure, type Part } from "./part.ts";
import { inTurns, ratio, using } from "./rounds.ts";

const TOOLS = 100;
const VISITS_PER_SECOND = 1;
const VISIT_MS_EXPECTED = 900;
const BROWSER_SECONDS = 4;

interface Visit {
  ms: number;
  /** Bytes of what came, as it came: compressed. */
  bytes: number;
}

/** How long a person waits for the console. */
export const webConsole: Part = {
  name: "console",
  title: "The web console, opened",
  how:
    "Chromium with an empty cache opens the console by a login link, until the first of 100 tools can be pressed; again with a " +
    "warm cache and a session; in turns with the API's reference at `/docs`, until its first operation shows.",
  expectSeconds: ({ rounds, seconds }) =>
    START_SECONDS +
    BROWSER_SECONDS +
    (rounds * Math.max(1, seconds * VISITS_PER_SECOND) * 3 * VISIT_MS_EXPECTED) / 1_000,
  measure: (settings) =>
    using(startProduct(), (product) =>
      using(startBrowser(), async (browser) => {
        const key = await openTenant(product, RATES_LIFTED);
        for (let n = 0; n < TOOLS; n += 1)
          await createTool(product.url, key, { name: `tool_${n}`, code: "return 1;" });
        const { origin } = new URL(product.url);
        const client = new Bulkhead({ url: origin, key });
        const link = async (): Promise<string> =>
          `${origin}/console/tools#code=${(await client.sessions.code({ key })).code}`;
        const aTool = (page: Page) =>
          page.getByRole("list", { name: "Tools" }).getByRole("link").first().click({ trial: true });
        const cold = async (): Promise<Visit> => fresh(browser, await link(), aTool);
        const warm = async (): Promise<Visit> => again(browser, await link(), aTool);
        const docs = (): Promise<Visit> =>
          fresh(browser, `${origin}/docs`, (page) => page.locator(".opblock").first().waitFor());
        const contenders = [
          { name: "the reference at /docs, empty cache", once: docs },
          { name: "the console, empty cache", once: cold },
          { name: "the console, warm cache", once: warm },
        ];
        for (const { once } of contenders) await once();
        const count = Math.max(1, settings.seconds * VISITS_PER_SECOND);
        const measured = await inTurns(
          settings,
          contenders.map(({ name, once }) => ({ name, run: () => several(count, once) })),
        );
        const medians = measured.map((rounds) => rounds.map((visits) => middle(visits, "ms")));
        const figures = contenders.map(({ name }, place): Figure => ({
          what: `${name}, p50`,
          unit: "ms",
          rounds: medians[place] ?? [],
        }));
        const [reference = [], first = []] = medians;
        const loaded: Figure = {
          what: "what the console loads at first, compressed",
          unit: "KiB",
          rounds: (measured[1] ?? []).map((visits) => middle(visits, "bytes") / 1_024),
        };
        return [...figures, loaded, ratio("console over reference, empty cache, p50", first, reference)];
      }),
    ),
};

const middle = (visits: readonly Visit[], what: keyof Visit): number =>
  percentile(
    visits.map((visit) => visit[what]).toSorted((a, b) => a - b),
    0.5,
  );

async function several(count: number, once: () => Promise<Visit>): Promise<Visit[]> {
  const visits: Visit[] = [];
  for (let n = 0; n < count; n += 1) visits.push(await once());
  return visits;
}

/** One look by a browser profile that knows nothing yet. */
async function fresh(browser: Browser, url: string, isThere: (page: Page) => Promise<void>): Promise<Visit> {
  const context = await browser.open();
  try {
    return await look(await context.newPage(), url, isThere);
  } finally {
    await context.close();
  }
}

/** The second look of a profile. */
async function again(browser: Browser, url: string, isThere: (page: Page) => Promise<void>): Promise<Visit> {
  const context = await browser.open();
  try {
    await look(await context.newPage(), url, isThere);
    return await look(await context.newPage(), url.replace(/#.*/u, ""), isThere);
  } finally {
    await context.close();
  }
}

async function look(page: Page, url: string, isThere: (page: Page) => Promise<void>): Promise<Visit> {
  const sizes: Promise<number>[] = [];
  page.on("requestfinished", (request) => {
    if (request.url().includes("/assets/") || request.isNavigationRequest())
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  const startedAt = performance.now();
  await page.goto(url, { waitUntil: "commit" });
  await isThere(page);
  const ms = performance.now() - startedAt;
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  return { ms, bytes };
}
