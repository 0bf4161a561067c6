import { SEARCH_PROVIDERS, type SearchDefault } from "@bulkhead/core";
import { Secret } from "@bulkhead/process/settings";
import { z } from "zod";

const SEARCH_KEY_CHARS_MAX = 1_024;

/** An endpoint's address: http or https, with nothing that belongs to one request. */
export const endpointUrl = z.string().refine((text) => {
  const { protocol = "", username, password, search, hash } = URL.parse(text) ?? {};
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === "");
}, "must be a URL with http or https, without user, query and fragment");

/** The search engine of tenants that name none of their own. */
export const searchSettings = {
  SEARCH_PROVIDER: z.enum(SEARCH_PROVIDERS).optional(),
  SEARCH_BASE_URL: endpointUrl.optional(),
  SEARCH_ENGINE_ID: z.string().min(1).max(200).optional(),
  SEARCH_API_KEY: z
    .string()
    .min(1)
    .max(SEARCH_KEY_CHARS_MAX)
    .transform((key) => new Secret(key))
    .optional(),
};

type SearchSettings = z.output<z.ZodObject<typeof searchSettings>>;

/** What each engine can't do without. */
const NEEDS = {
  searxng: ["SEARCH_BASE_URL"],
  brave: ["SEARCH_API_KEY"],
  tavily: ["SEARCH_API_KEY"],
  google: ["SEARCH_API_KEY", "SEARCH_ENGINE_ID"],
} as const;

/** Reports what the engine needs and is not set, and what is set without an engine. */
export function checkSearch(settings: SearchSettings, context: z.core.$RefinementCtx): void {
  const { SEARCH_PROVIDER: provider, ...others } = settings;
  const report = (path: string, message: string): void =>
    context.addIssue({ code: "custom", path: [path], message });
  if (provider === undefined) {
    if (others.SEARCH_BASE_URL ?? others.SEARCH_ENGINE_ID ?? others.SEARCH_API_KEY)
      report("SEARCH_PROVIDER", "must be set where one of the other settings of the search is");
    return;
  }
  for (const name of NEEDS[provider])
    if (others[name] === undefined) report(name, `must be set for ${provider}`);
}

/** Null: tenants have their own engine or none. */
export const searchDefaultOf = (settings: SearchSettings): SearchDefault | null =>
  settings.SEARCH_PROVIDER === undefined
    ? null
    : {
        provider: settings.SEARCH_PROVIDER,
        baseUrl: settings.SEARCH_BASE_URL ?? null,
        engineId: settings.SEARCH_ENGINE_ID ?? null,
        key: settings.SEARCH_API_KEY?.reveal() ?? null,
      };
