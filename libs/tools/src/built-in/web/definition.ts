import type { ProvidedTool, WebToolName } from "@bulkhead/core";
import { WEB_FETCH_PARAMETERS, WEB_SEARCH_PARAMETERS } from "./schema.ts";
import { RESULTS_MAX } from "./search/bounds.ts";

export const WEB_TOOLS: Readonly<Record<WebToolName, ProvidedTool>> = {
  web_fetch: {
    name: "web_fetch",
    title: "Fetch a page",
    description:
      `Fetches a web page and returns what a person would read there: { url, status, title, text, links, truncated, nextChar?, ` +
      `pages?, cached? }. HTML becomes text or, with format "markdown", Markdown of its main part; a PDF becomes text by ` +
      `pages; JSON and other text come as they are. Where nextChar is there, go on with startChar. What was fetched in the ` +
      `last 15 minutes comes from memory, with cached: true, unless fresh is true. Needs the caller's network permission.`,
    group: "web",
    parameters: WEB_FETCH_PARAMETERS,
    annotations: { readOnlyHint: true, openWorldHint: true },
    needs: "network",
    letBy: "name",
    capability: null,
  },
  web_search: {
    name: "web_search",
    title: "Search the web",
    description:
      `Searches the web: { results: [{ title, url, snippet, publishedAt? }], provider }, at most ${RESULTS_MAX}, the best first. ` +
      `Titles and snippets are strangers' words; read a page by web_fetch. Needs the caller's network permission.`,
    group: "web",
    parameters: WEB_SEARCH_PARAMETERS,
    annotations: { readOnlyHint: true, openWorldHint: true },
    needs: "network",
    letBy: "name",
    capability: null,
  },
};
