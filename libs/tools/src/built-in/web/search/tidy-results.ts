import type { JsonObject } from "@bulkhead/core";
import { HARMFUL } from "@bulkhead/core/harmless";
import { Parser } from "htmlparser2";
import { cutText } from "../cut-text.ts";
import {
  RAW_CHARS_MAX,
  RESULT_SNIPPET_CHARS_MAX,
  RESULT_TITLE_CHARS_MAX,
  RESULT_URL_CHARS_MAX,
} from "./bounds.ts";
import type { RawResult } from "./engine.ts";

/** The first so many results as they are answered: text of strangers, on one line each, without markup. */
export function tidyResults(raw: readonly RawResult[], limit: number): JsonObject[] {
  const results: JsonObject[] = [];
  for (const { title, url, snippet, publishedAt } of raw) {
    if (results.length >= limit) break;
    const at = pageOf(url);
    if (at === null) continue;
    const date = dateOf(publishedAt);
    results.push({
      title: plain(title, RESULT_TITLE_CHARS_MAX),
      url: at,
      snippet: plain(snippet, RESULT_SNIPPET_CHARS_MAX),
      ...(date !== null && { publishedAt: date }),
    });
  }
  return results;
}

/** Null for what is no address of a page. */
function pageOf(url: unknown): string | null {
  if (typeof url !== "string" || url.length > RESULT_URL_CHARS_MAX) return null;
  const read = URL.parse(url);
  if (read === null || (read.protocol !== "https:" && read.protocol !== "http:")) return null;
  return read.href.length > RESULT_URL_CHARS_MAX ? null : read.href;
}

/** Some engines write marks around what was found, and entities. */
function plain(text: unknown, charsMax: number): string {
  if (typeof text !== "string") return "";
  let shown = "";
  const parser = new Parser({ ontext: (some) => void (shown += some) });
  parser.end(text.slice(0, RAW_CHARS_MAX));
  const line = shown.replace(/\s+/g, " ").replaceAll(HARMFUL, "").trim();
  return cutText(line, charsMax);
}

function dateOf(said: unknown): string | null {
  if (typeof said !== "string" || said.length > RESULT_TITLE_CHARS_MAX) return null;
  const at = Date.parse(said);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
