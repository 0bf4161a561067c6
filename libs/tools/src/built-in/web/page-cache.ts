import { PLACEHOLDER_START } from "@bulkhead/core";
import { LRUCache } from "lru-cache";
import { CACHE_BYTES_MAX, CACHE_MS, type PageFormat } from "./bounds.ts";
import type { Page } from "./read-html.ts";

/** A page as it was fetched and read. */
export interface FetchedPage {
  /** The last one, after redirects. */
  url: string;
  status: number;
  page: Page;
}

/** Who asks for what: all that an answer depends on. */
export interface PageAsked {
  tenantId: string;
  /** As far as its caller may go: a page that one tool may reach is not there for another that may not. */
  allowedHosts: readonly string[] | null;
  url: string;
  format: PageFormat;
}

/** What stands around a page's texts in memory. */
const ENTRY_BYTES = 1_024;
const UNKEPT = /\b(?:no-store|no-cache|private|max-age=0)\b/i;

/** Pages that were fetched a moment ago, in this process's memory; of one tenant nothing is ever given to another. */
export class PageCache {
  readonly #kept: LRUCache<string, FetchedPage>;

  /** The clock is the monotonic one. */
  constructor(now: () => number = () => performance.now()) {
    const perf = { now };
    const bounds = { maxSize: CACHE_BYTES_MAX, sizeCalculation: bytesOf, ttl: CACHE_MS, ttlResolution: 0 };
    this.#kept = new LRUCache({ ...bounds, perf });
  }

  get(asked: PageAsked): FetchedPage | undefined {
    return this.#kept.get(keyOf(asked));
  }

  /** Keeps what anybody gets for this address: no errors, nothing that a key opened, nothing that its server wants not kept. */
  keep(asked: PageAsked, fetched: FetchedPage, headers: readonly (readonly [string, string])[]): void {
    const control = headers.filter(([name]) => name.toLowerCase() === "cache-control");
    if (fetched.status !== 200 || hasCredentials(asked.url)) return;
    if (control.some(([, value]) => UNKEPT.test(value))) return;
    this.#kept.set(keyOf(asked), fetched);
  }
}

const keyOf = ({ tenantId, allowedHosts, url, format }: PageAsked): string =>
  JSON.stringify([tenantId, allowedHosts, url, format]);

/** A key may stand in the address, or what stands for one there. */
function hasCredentials(url: string): boolean {
  const { username, password } = URL.parse(url) ?? {};
  return url.includes(PLACEHOLDER_START) || Boolean(username) || Boolean(password);
}

const bytesOf = ({ url, page: { title, text, links } }: FetchedPage, key: string): number =>
  ENTRY_BYTES +
  2 * (key.length + url.length + title.length + text.length) +
  links.reduce((sum, link) => sum + 2 * (link.text.length + link.href.length) + 64, 0);
