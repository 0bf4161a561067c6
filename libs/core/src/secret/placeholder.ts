import { randomBytes } from "node:crypto";
import type { ConfigValue } from "./config-service.ts";
import type { HeldSecret, OpenedEntry, OpenedService } from "./service-configs.ts";

/** A text without it holds no placeholder. */
export const PLACEHOLDER_START = "bhs_";

/**
 * A placeholder wherever it stands: 192 random bits. Its letters are the same in a header, a URL and JSON, and in lower
 * case.
 */
export const PLACEHOLDER = /bhs_[0-9a-f]{48}/g;
const RANDOM_BYTES = 24;

export const newPlaceholder = (): string =>
  `${PLACEHOLDER_START}${randomBytes(RANDOM_BYTES).toString("hex")}`;

/** A secret and its placeholder, in one execution only. */
export interface PlacedSecret {
  placeholder: string;
  secret: HeldSecret;
}

/** The services of a tenant that one execution gets. */
export interface PlacedServices {
  services: readonly OpenedService[];
  /** The configuration for the sandbox: of secrets it only holds the revealed values. */
  configJson: string;
  /** For the way out: all but those that are revealed. */
  placed: readonly PlacedSecret[];
}

/**
 * Puts a new placeholder in the place of each secret that is not revealed. Of a service that the platform speaks with itself
 * the code is told nothing.
 */
export function placeSecrets(services: readonly OpenedService[]): PlacedServices {
  const placed: PlacedSecret[] = [];
  const shown = services
    .filter(({ kind }) => kind === "api")
    .map(({ entries, kind: _kind, ...about }) => [
      about.name,
      { ...about, entries: entries.map((entry) => showEntry(entry, placed)) },
    ]);
  return { services, configJson: JSON.stringify({ services: Object.fromEntries(shown) }), placed };
}

/** An entry as the tool sees it. */
function showEntry({ label, isDefault, values, secrets }: OpenedEntry, placed: PlacedSecret[]) {
  const shown = secrets.map((secret): [string, ConfigValue] => {
    if (secret.revealed) return [secret.field, secret.value];
    const placeholder = newPlaceholder();
    placed.push({ placeholder, secret });
    return [secret.field, placeholder];
  });
  return { label, isDefault, data: Object.fromEntries([...Object.entries(values), ...shown]) };
}
