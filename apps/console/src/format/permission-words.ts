import type { Tool } from "@bulkhead/client";

export type Permission = Tool["permissions"][number];

/** What each permission lets a tool's code do. */
export const PERMISSION_WORDS: Readonly<Record<Permission, string>> = {
  network: "Sends requests to other hosts by fetch and api.rest.",
  filesystem: "Reads and writes files of the caller's workspace by utils.fs.",
  database:
    "Keeps documents of its own by utils.data, and asks the databases that the tenant names by utils.db.",
  shell: "Runs commands in a shell over the caller's workspace by utils.exec.",
  email: "Sends e-mail by utils.email.",
  scheduling: "Makes and removes schedules of tools by utils.schedule.",
};
