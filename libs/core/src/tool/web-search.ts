/** The service of the Config Center by which a tenant names its own search engine, and the fields that it is read by. */
export const SEARCH_SERVICE = "web_search";
export const SEARCH_FIELDS = {
  provider: "provider",
  baseUrl: "base_url",
  key: "api_key",
  engineId: "engine_id",
} as const;

/** The search engines whose APIs are known. */
export const SEARCH_PROVIDERS = ["searxng", "brave", "tavily", "google"] as const;
export type SearchProvider = (typeof SEARCH_PROVIDERS)[number];

export const isSearchProvider = (name: unknown): name is SearchProvider =>
  SEARCH_PROVIDERS.some((known) => known === name);

/** The engine that an operator gives to the tenants which name none. */
export interface SearchDefault {
  provider: SearchProvider;
  /** Null: where the provider itself is. */
  baseUrl: string | null;
  /** Google's `cx`; null for the others. */
  engineId: string | null;
  /** Null: it is asked without one. */
  key: string | null;
}
