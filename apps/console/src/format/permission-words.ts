import type { Me, Tool } from "@bulkhead/client";

export type Permission = Tool["permissions"][number];

/** What each permission lets a tool's code do. */
export const PERMISSION_WORDS: Readonly<Record<Permission, string>> = {
  network: "Sends requests to other hosts by fetch and api.rest.",
  filesystem: "Reads and writes files of the caller's workspace by utils.fs.",
  database:
    "Keeps documents of its own by utils.data, and asks the databases that the tenant names by utils.db.",
  shell:
    "Runs commands in a shell over the caller's workspace by utils.exec, and those of paired devices by the tool nodes.",
  email: "Sends e-mail by utils.email.",
  scheduling: "Makes and removes schedules of tools by utils.schedule.",
};

/** What a deployment must have so that a permission gives something; one of them is enough. Null: nothing. */
const FEATURES_OF: Readonly<Record<Permission, readonly string[] | null>> = {
  network: null,
  filesystem: ["files"],
  database: ["data", "db"],
  shell: ["exec", "nodes"],
  email: ["email"],
  scheduling: ["schedule"],
};

/** Whether a permission gives a tool something in this deployment. */
export function gives(permission: Permission, features: Me["features"]): boolean {
  const has = new Map(Object.entries(features));
  return FEATURES_OF[permission]?.some((feature) => has.get(feature) === true) ?? true;
}
