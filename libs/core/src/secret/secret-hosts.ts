import { readAllowedHosts } from "../tool/allowed-hosts.ts";
import { BASE_URL_FIELD, type ConfigService, type ConfigValue } from "./config-service.ts";

/** The hosts that the secrets of an entry may be sent to, and the source of that list. */
export interface SecretHosts {
  /** In the words of a tool's `allowedHosts`; empty: nowhere. */
  hosts: readonly string[];
  from: "allowedHosts" | "base_url" | "code" | "nothing";
}

/** The service's list; else the host of the entry's `base_url`; else the hosts in the registering tool's code. */
export function secretHosts(
  service: Pick<ConfigService, "allowedHosts" | "codeHosts" | "configSchema">,
  values: Readonly<Record<string, ConfigValue>>,
): SecretHosts {
  if (service.allowedHosts !== null) return { hosts: service.allowedHosts, from: "allowedHosts" };
  const preset = service.configSchema.find(({ name }) => name === BASE_URL_FIELD)?.default;
  const host = hostOf(values[BASE_URL_FIELD] ?? preset);
  if (host !== null) return { hosts: [host], from: "base_url" };
  if (service.codeHosts.length > 0) return { hosts: service.codeHosts, from: "code" };
  return { hosts: [], from: "nothing" };
}

/** With its port if that is not the scheme's default. */
function hostOf(url: ConfigValue | undefined): string | null {
  const host = typeof url === "string" ? URL.parse(url)?.host : undefined;
  const read = readAllowedHosts(host ? [host] : []);
  return (read.ok && read.hosts[0]) || null;
}
