import type { Bulkhead, ToolFolder } from "@bulkhead/client";
import { RUN_LIMITS_DEFAULT } from "@bulkhead/core";
import { grouped } from "../examples/grouped.ts";
import type { SyncRow } from "./open-sync.ts";

/** Names in one question. */
const NAMES_AT_ONCE = 100;

/** The server's folders of the rows, by key; one that is gone meanwhile is not among them. */
export async function readFolders(
  client: Bulkhead,
  rows: readonly SyncRow[],
): Promise<Map<string, ToolFolder>> {
  const folders = new Map<string, ToolFolder>();
  const owners = grouped(
    rows.filter(({ theirs }) => theirs !== undefined),
    ({ agentId }) => agentId,
  );
  for (const [agentId, owned] of owners) {
    for (let at = 0; at < owned.length; at += NAMES_AT_ONCE) {
      const part = owned.slice(at, at + NAMES_AT_ONCE);
      const keys = new Map(part.map(({ name, key }) => [name, key]));
      const query = {
        names: part.map(({ name }) => name).join(","),
        ...(agentId === undefined ? {} : { agentId }),
      };
      for await (const [, folder] of client.tools.export(query)) {
        const key = keys.get(folder["manifest.json"].name ?? "");
        if (key !== undefined) folders.set(key, lean(folder));
      }
    }
  }
  return folders;
}

/** Without what a folder need not say: limits that nobody set, and permissions that there are none of. */
function lean(folder: ToolFolder): ToolFolder {
  const { limits = {}, permissions = [], ...manifest } = folder["manifest.json"];
  const defaults: Readonly<Record<string, number>> = { ...RUN_LIMITS_DEFAULT };
  const set = Object.entries(limits).filter(([name, value]) => value !== defaults[name]);
  return {
    ...folder,
    "manifest.json": {
      ...manifest,
      ...(permissions.length > 0 ? { permissions } : {}),
      ...(set.length > 0 ? { limits: Object.fromEntries(set) } : {}),
    },
  };
}
