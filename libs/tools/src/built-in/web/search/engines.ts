import type { SearchProvider } from "@bulkhead/core";
import type { RawResult, SearchEngine } from "./engine.ts";

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** The list under a name; one that is left out is empty, anything else is none. */
function listIn(answer: unknown, name: string): Fields[] | null {
  if (!isObject(answer)) return null;
  const list = answer[name] ?? [];
  return Array.isArray(list) ? list.filter(isObject) : null;
}

const url = (base: string, path: string, query: Record<string, string>): string =>
  `${base}${path}?${new URLSearchParams(query).toString()}`;

const get = (to: string, headers: [string, string][] = []) => ({
  url: to,
  method: "GET",
  headers: [["accept", "application/json"], ...headers] as [string, string][],
  body: null,
});

/** An instance of one's own (docs.searxng.org, Search API), which has to have `json` among its formats. */
const searxng: SearchEngine = {
  name: "searxng",
  baseUrl: null,
  needs: [],
  refusesKey: [401],
  request({ query }, { baseUrl, key }) {
    const headers: [string, string][] = key === null ? [] : [["authorization", `Bearer ${key}`]];
    return get(url(baseUrl, "/search", { q: query, format: "json" }), headers);
  },
  results: (answer) =>
    listIn(answer, "results")?.map(({ title, url: at, content, publishedDate }): RawResult => ({
      title,
      url: at,
      snippet: content,
      publishedAt: publishedDate,
    })) ?? null,
};

/** Brave Search API, `GET /res/v1/web/search`: 20 results at most. */
const brave: SearchEngine = {
  name: "brave",
  baseUrl: "https://api.search.brave.com",
  needs: ["key"],
  refusesKey: [401, 403, 422],
  request({ query, limit }, { baseUrl, key }) {
    const asked = { q: query, count: String(limit), result_filter: "web", text_decorations: "false" };
    return get(url(baseUrl, "/res/v1/web/search", asked), [["x-subscription-token", key ?? ""]]);
  },
  results(answer) {
    if (!isObject(answer)) return null;
    // Where nothing was found, there is no such part.
    return (
      listIn(answer["web"] ?? {}, "results")?.map(
        ({ title, url: at, description, page_age: publishedAt }): RawResult => ({
          title,
          url: at,
          snippet: description,
          publishedAt,
        }),
      ) ?? null
    );
  },
};

/** Tavily, `POST /search`: 20 results at most. */
const tavily: SearchEngine = {
  name: "tavily",
  baseUrl: "https://api.tavily.com",
  needs: ["key"],
  refusesKey: [401, 403],
  request: ({ query, limit }, { baseUrl, key }) => ({
    url: `${baseUrl}/search`,
    method: "POST",
    headers: [
      ["accept", "application/json"],
      ["content-type", "application/json"],
      ["authorization", `Bearer ${key ?? ""}`],
    ],
    body: JSON.stringify({ query, max_results: limit, search_depth: "basic" }),
  }),
  results: (answer) =>
    listIn(answer, "results")?.map(({ title, url: at, content, published_date: publishedAt }): RawResult => ({
      title,
      url: at,
      snippet: content,
      publishedAt,
    })) ?? null,
};

/** Results that Google gives at once. */
const GOOGLE_RESULTS_MAX = 10;

/** Google's Custom Search JSON API, `GET /customsearch/v1`: `cx` names the engine, and the key stands in the query. */
const google: SearchEngine = {
  name: "google",
  baseUrl: "https://www.googleapis.com",
  needs: ["key", "engineId"],
  refusesKey: [400, 401, 403],
  request({ query, limit }, { baseUrl, key, engineId }) {
    const num = String(Math.min(limit, GOOGLE_RESULTS_MAX));
    return get(url(baseUrl, "/customsearch/v1", { key: key ?? "", cx: engineId ?? "", q: query, num }));
  },
  results: (answer) =>
    listIn(answer, "items")?.map(({ title, link, snippet, pagemap }): RawResult => ({
      title,
      url: link,
      snippet,
      publishedAt: listIn(pagemap, "metatags")?.[0]?.["article:published_time"],
    })) ?? null,
};

export const SEARCH_ENGINES: Readonly<Record<SearchProvider, SearchEngine>> = {
  searxng,
  brave,
  tavily,
  google,
};
