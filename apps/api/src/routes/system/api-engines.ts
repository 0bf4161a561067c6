import type { Embeddings, EngineFact } from "@bulkhead/core";

export interface ApiEngineDeps {
  /** What drafts tools; null: no model is named. */
  model: { name: string } | null;
  embeddings: Pick<Embeddings, "model" | "isRemote">;
  /** Whether tenants have a search engine without naming one. */
  hasSearch: boolean;
}

/** The engines that settings name, for the API and for workers alike. */
export function apiEngines({ model, embeddings, hasSearch }: ApiEngineDeps): EngineFact[] {
  const unnamed = "SEARCH_PROVIDER is not set: each tenant that searches names an engine of its own.";
  return [
    { engine: "web_search", available: hasSearch, detail: hasSearch ? "" : unnamed },
    embeddings.isRemote
      ? { engine: "embeddings", available: true, detail: embeddings.model }
      : {
          engine: "embeddings",
          available: false,
          detail:
            "EMBEDDINGS_BASE_URL and EMBEDDINGS_MODEL are not set: memories are searched by vectors that are made of their words.",
        },
    model === null
      ? { engine: "assist_model", available: false, detail: "MODEL_BASE_URL and MODEL_NAME are not set." }
      : { engine: "assist_model", available: true, detail: model.name },
  ];
}
