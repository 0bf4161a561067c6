import type { ConfigServiceSummary } from "@bulkhead/client";
import { chosen, oneOf, wordsIn } from "../../format/address.ts";

/** What of the list stands in its address. */
export interface SecretSearch {
  tab?: "rules";
  q?: string;
  state?: ServiceState;
  /** The service that something misses: its form is opened. */
  missing?: string;
  /** A service is being made, of this name if somebody knows it. */
  create?: true;
  name?: string;
}

export const STATES = ["configured", "missing"] as const;
type ServiceState = (typeof STATES)[number];
export const WORDS_CHARS_MAX = 100;
const NAME_CHARS_MAX = 64;

export const readSecretSearch = (raw: Record<string, unknown>): SecretSearch =>
  chosen<SecretSearch>({
    tab: oneOf(["rules"], raw["tab"]),
    q: wordsIn(raw["q"], WORDS_CHARS_MAX),
    state: oneOf(STATES, raw["state"]),
    missing: wordsIn(raw["missing"], NAME_CHARS_MAX),
    create: raw["create"] === true || undefined,
    name: wordsIn(raw["name"], NAME_CHARS_MAX),
  });

/** What of a service's page stands in its address: whether its form is to be filled in at once. */
export interface ServiceSearch {
  fill?: true;
}

export const readServiceSearch = (raw: Record<string, unknown>): ServiceSearch =>
  chosen<ServiceSearch>({ fill: raw["fill"] === true || undefined });

/** The services that have all of the words, in their names, description or category. */
export function matching(
  services: readonly ConfigServiceSummary[],
  { q = "", state }: SecretSearch,
): ConfigServiceSummary[] {
  const words = q.toLowerCase().split(/\s+/);
  return services.filter(({ name, displayName = "", description = "", category = "", configured }) => {
    const text = [name, displayName, description, category].join("\n").toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (state === undefined || configured === (state === "configured"))
    );
  });
}
