import { Bulkhead } from "@bulkhead/client";
import type { BrowserContextOptions, Page } from "playwright-core";
import { startProduct } from "../../load/product.ts";
import type { Browser } from "../../support/browser.ts";
import { SmallServer } from "../../support/mcp-servers.ts";
import type { Screen } from "./screens.ts";
import { seed, type Seeded } from "./seed.ts";

/** What comes in after the page was there, as fonts and lists, has come by then; milliseconds. */
const SETTLED_MS = 400;

/** The product with a tenant that has a little of everything; one of its MCP servers is on this machine. */
export async function startSeeded(): Promise<{ seeded: Seeded; close: () => Promise<void> }> {
  const mcpServer = await new SmallServer().start();
  try {
    const product = await startProduct({ EGRESS_ALLOW: "127.0.0.0/8" });
    const close = async (): Promise<void> => {
      await product.close();
      await mcpServer.close();
    };
    try {
      return { seeded: await seed(product, mcpServer), close };
    } catch (cause) {
      await product.close();
      throw cause;
    }
  } catch (cause) {
    await mcpServer.close();
    throw cause;
  }
}

/** A link that logs in with this key and leads to a page of the console. */
export async function linkOf({ url }: Seeded, key: string, path: string): Promise<string> {
  const { code } = await new Bulkhead({ url, key }).sessions.code({ key });
  return `${url}/console${path}#code=${code}`;
}

/** A screen as it is looked at, in a browser profile of its own; whoever asked closes it by its context. */
export async function openScreen(
  browser: Browser,
  seeded: Seeded,
  { path, by, act }: Screen,
  options: BrowserContextOptions,
): Promise<Page> {
  const context = await browser.open(options);
  const page = await context.newPage();
  const at = path(seeded);
  const keys = { newcomer: seeded.emptyKey, admin: seeded.adminKey, nobody: null };
  const key = by === undefined ? seeded.key : keys[by];
  await page.goto(key === null ? `${seeded.url}/console${at}` : await linkOf(seeded, key, at));
  await page.getByRole("heading").first().waitFor();
  await act?.(page);
  await page.waitForTimeout(SETTLED_MS);
  return page;
}
