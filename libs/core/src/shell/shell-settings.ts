/** `virtual`: a shell in JavaScript over the workspace; `namespaces`: real programs without a network; `off`: none. */
export const SHELL_ENGINES = ["off", "virtual", "namespaces"] as const;
export type ShellEngineName = (typeof SHELL_ENGINES)[number];

/** A tenant's decisions about commands. */
export interface ShellSettings {
  /** `namespaces` runs programs of the platform's machines, so that only its administrator turns it on. */
  engine: ShellEngineName;
}

export const SHELL_SETTINGS_DEFAULT: ShellSettings = { engine: "virtual" };
