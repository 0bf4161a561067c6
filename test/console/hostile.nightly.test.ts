import { sharedProduct } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBrowser, type Browser } from "../support/browser.ts";
import { SmallServer } from "../support/mcp-servers.ts";
import { harmsOn } from "./hostile/harms.ts";
import { seedHostile } from "./hostile/seed.ts";
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
