import type { ConfigService, ConfigValue } from "./config-service.ts";

/** A secret as one execution may use it. Lives in memory for that execution at the longest. */
export interface HeldSecret {
  service: string;
  entry: string;
  field: string;
  value: string;
  /** The hosts that it may be sent to, in the words of a tool's `allowedHosts`; empty: none. */
  hosts: readonly string[];
  /** Whether the code is given the value itself. */
  revealed: boolean;
  /** Whether it is exchanged in request bodies too. */
  inBody: boolean;
  /** A short or common value: covered only where it stands as a whole word. */
  wholeWordsOnly: boolean;
}

/** An entry with its values, the secrets' sealed ones opened. */
export interface OpenedEntry {
  label: string;
  isDefault: boolean;
  /** All values but the secrets, with defaults for fields that are not filled in. */
  values: Readonly<Record<string, ConfigValue>>;
  secrets: readonly HeldSecret[];
}

export interface OpenedService extends Pick<
  ConfigService,
  "name" | "kind" | "displayName" | "description" | "category" | "docsUrl" | "multiEntry"
> {
  /** Oldest first. */
  entries: readonly OpenedEntry[];
}

/** The services of a tenant as an execution may use them. */
export interface ServiceConfigs {
  /** The existing ones among these names. Throws `vault.unreadable` when a secret can't be opened. */
  open(tenantId: string, names: readonly string[]): Promise<OpenedService[]>;
}
