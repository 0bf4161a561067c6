import type { ConfigEntry, ConfigService } from "@bulkhead/client";

/** How secrets reach code, and what that risks. */
export function deliveryWords({
  kind = "api",
  delivery,
  exchangeInBody,
}: Pick<ConfigService, "delivery" | "exchangeInBody"> & Partial<Pick<ConfigService, "kind">>): {
  title: string;
  words: string;
  isRisky: boolean;
} {
  if (kind !== "api")
    return {
      title: "Code holds nothing of it",
      words: "Bulkhead asks it for the tools that name it. Code, logs and results never hold its values.",
      isRisky: false,
    };
  if (delivery === "reveal")
    return {
      title: "Code holds the value itself",
      words:
        "Some signatures need that. Whoever writes a tool that uses this service can read its secrets and send them wherever the tool may go; they are still covered in logs and results.",
      isRisky: true,
    };
  return {
    title: "Code holds a placeholder",
    words: `The secret takes its place on the way out, in headers and queries${exchangeInBody ? ", and in request bodies," : ""} toward its hosts alone. Code, logs and results never hold it.`,
    isRisky: false,
  };
}

/** Where the hosts come from that an entry's secrets may go to. */
export const HOSTS_FROM: Readonly<Record<ConfigEntry["hostsFrom"], string>> = {
  allowedHosts: "named in the service's settings",
  base_url: "the host of its base_url",
  code: "found in the code of the tool that registered the service",
  nothing:
    "nobody has named a host: name one in the service's settings, or requests with its secrets are refused",
};

/** Whether its hosts say where secrets may go: what Bulkhead asks by itself is asked where its own fields say. */
export const tellsHosts = (
  { kind }: Pick<ConfigService, "kind">,
  { hosts }: Pick<ConfigEntry, "hosts">,
): boolean => kind === "api" || hosts.length > 0;

/** The tool that comes with the platform and asks such a service; null where none does. */
export function builtInUser({ kind, name }: Pick<ConfigService, "kind" | "name">): string | null {
  if (kind === "postgres") return "database_query";
  if (kind === "image") return name === "image" ? name : null;
  if (kind === "speech") return /^tts(_|$)/.test(name) ? "tts" : null;
  if (kind === "api") return name === "web_search" ? name : null;
  return "message";
}

/** What keeps a service from being used, in a few words; null: nothing does. */
export function missingWords({
  configured,
  labels,
  missing,
}: Pick<ConfigService, "configured" | "labels" | "missing">): string | null {
  if (configured) return null;
  return labels.length === 0 ? "Nothing is filled in" : `${missing.join(", ")} missing`;
}

/** "a", "a and b", "a, b and 3 more", of so many as there are in all. */
export function someOf(names: readonly string[], shown: number, all = names.length): string {
  if (names.length === 0) return "";
  const first = names.slice(0, shown);
  const rest = all - first.length;
  if (rest > 0) return `${first.join(", ")} and ${rest.toLocaleString()} more`;
  return first.length === 1 ? (first[0] ?? "") : `${first.slice(0, -1).join(", ")} and ${first.at(-1)}`;
}
