import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { Browser } from "./browser.ts";
import type { Client } from "./client.ts";

/** Runs in the page, before its own scripts. */
const TELL_POLICY = `addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  console.error("policy: " + violatedDirective + " " + blockedURI))`;

/** How a page is looked at. */
interface Look {
  viewport: { width: number; height: number };
  colorScheme: "light" | "dark";
}
const PLAIN: Look = { viewport: { width: 1_280, height: 720 }, colorScheme: "light" };

export interface ConsolePage {
  page: Page;
  /** What it must not do: errors, what its policy refused, requests to other hosts. */
  faults: string[];
  /** The login code that it came by. */
  code: string;
}

/** Pages of tests that are over, by their browser: one that has loaded the console loads it again at a third of the cost. */
const free = new WeakMap<Browser, Page[]>();

/**
 * A page of the console, in a browser profile with nothing of others, of somebody who came by a link that this client's key
 * made. Only inside a test, with whose end it goes.
 */
export async function openConsole(
  browser: Browser,
  client: Client,
  path: string,
  look: Partial<Look> = {},
): Promise<ConsolePage> {
  const page = await openPage(browser, client, look);
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(client.url) && !/^(data|blob):/.test(request.url()))
      faults.push(`asked ${request.url()}`);
  });
  const { body } = await client.post("/api/v1/session/codes", { key: client.key });
  const { code } = body.data;
  await page.goto(`${client.url}/console${path}#code=${code}`);
  return { page, faults, code };
}

/** Perhaps a page that another test had, which knows nothing of it. */
async function openPage(browser: Browser, { url }: Client, look: Partial<Look>): Promise<Page> {
  const pages = free.get(browser) ?? [];
  free.set(browser, pages);
  const used = pages.pop();
  const page = used ?? (await newPage(browser));
  if (used) await forget(used, url);
  const { viewport, colorScheme } = { ...PLAIN, ...look };
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  onTestFinished(async () => {
    page.removeAllListeners();
    if (page.isClosed()) return await page.context().close();
    // Whatever the console follows ends with it, also where no test comes after this one.
    await page.goto("about:blank");
    pages.push(page);
  });
  return page;
}

async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.open();
  await context.addInitScript(TELL_POLICY);
  return context.newPage();
}

/** Takes all away that a profile keeps of the console; what was loaded stays, as with a second visit. */
async function forget(page: Page, url: string): Promise<void> {
  for (const other of page.context().pages()) if (other !== page) await other.close();
  await page.unrouteAll();
  // Of the same origin, and without a program that could write something anew.
  await page.goto(`${url}/readyz`);
  await page.evaluate("localStorage.clear(); sessionStorage.clear()");
  await page.context().clearCookies();
}

/** The two ends of what screens are made for. */
export const WIDE_LIGHT = { viewport: { width: 1_280, height: 800 }, colorScheme: "light" } as const;
export const NARROW_DARK = { viewport: { width: 360, height: 760 }, colorScheme: "dark" } as const;

/** What axe finds on the page as it is, and by how many pixels it is too wide for its window. */
export async function unfitOn(page: Page): Promise<string[]> {
  // Of frames of other origins, which the console has none of, this way would see nothing; the other one opens a second page.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode();
  const { violations } = await axe.analyze();
  const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  const tooWide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  return tooWide > 0 ? [...found, `${tooWide} pixels too wide`] : found;
}

/** Writes the code of the builder's page anew, in one piece; a bracket that is left open in it is closed by the editor. */
export async function writeCode(page: Page, code: string): Promise<void> {
  const editor = page.locator(".monaco-editor").first();
  await editor.click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText(code);
}
