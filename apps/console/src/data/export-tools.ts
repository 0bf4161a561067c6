import type { Tool } from "@bulkhead/client";
import { nextCursor } from "../format/address.ts";
import { api } from "./api.ts";
import { saveFile } from "./files.ts";

/** Names in one question. */
const NAMES_AT_ONCE = 100;

/** The tools as zips, each of which an import takes whole; tells how many there are. */
export async function exportTools(tools: readonly Tool[]): Promise<number> {
  const parts: BlobPart[] = [];
  for (const [agentId, owned] of Map.groupBy(tools, (tool) => tool.agentId))
    for (let at = 0; at < owned.length; at += NAMES_AT_ONCE) {
      const names = owned.slice(at, at + NAMES_AT_ONCE).map(({ name }) => name);
      parts.push(...(await partsOf(names.join(","), agentId)));
    }
  parts.forEach((bytes, index) => {
    const name = parts.length === 1 ? "tools.zip" : `tools-${index + 1}.zip`;
    saveFile(name, "application/zip", bytes);
  });
  return parts.length;
}

/** The parts of an export, each of which names the next one. */
async function partsOf(names: string, agentId: string | undefined): Promise<BlobPart[]> {
  const parts: BlobPart[] = [];
  let cursor: string | undefined;
  do {
    let next: string | undefined;
    const onResponse = ({ headers }: Pick<Response, "headers">): void => {
      next = nextCursor(headers.get("link"));
    };
    const zip = await api.tools.export({ names, agentId, cursor, format: "zip" }, { onResponse });
    parts.push(new Uint8Array(zip));
    cursor = next;
  } while (cursor !== undefined);
  return parts;
}
