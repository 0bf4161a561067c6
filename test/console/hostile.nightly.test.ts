import { sharedProduct } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBrowser, type Browser } from "../support/browser.ts";
import { Client } from "../support/client.ts";
import { openConsole, WIDE_LIGHT } from "../support/console.ts";
import { SmallServer } from "../support/mcp-servers.ts";
import { harmsOn } from "./hostile/harms.ts";
import { HIDDEN, seedHostile } from "./hostile/seed.ts";
import { SCREENS } from "./pictures/screens.ts";
import type { Seeded } from "./pictures/seed.ts";

const product = await sharedProduct();
let browser: Browser;
let mcpServer: SmallServer;
let seeded: Seeded;

beforeAll(async () => {
  [browser, mcpServer] = await Promise.all([startBrowser(), new SmallServer().start()]);
  seeded = await seedHostile(product, mcpServer);
});
afterAll(async () => {
  await browser.close();
  await mcpServer.close();
});

test.each(SCREENS.filter(({ by }) => by === undefined).map(({ name, path }) => [name, path] as const))(
  "what strangers wrote is text on %s, and does not widen it",
  async (_name, path) => {
    expect(await harmsOn(browser, seeded, path(seeded))).toEqual([]);
  },
);

test("what stands behind a wide gap is in sight, in code and in arguments, where somebody approves them", async () => {
  const client = new Client(seeded.url, seeded.key);
  for (const path of [`/approvals/${seeded.approvals.proposed}`, `/approvals/${seeded.approvals.waiting}`]) {
    const { page } = await openConsole(browser, client, path, WIDE_LIGHT);
    const hidden = page.getByText(HIDDEN).filter({ visible: true }).first();
    await hidden.waitFor();
    await page.getByText("… 300 spaces …").filter({ visible: true }).first().waitFor();
    const box = await hidden.boundingBox();
    expect(box?.x).toBeGreaterThan(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(WIDE_LIGHT.viewport.width);
    await page.context().close();
  }
});
