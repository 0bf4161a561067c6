import { importFolderOf, type LoadedTool } from "bulkhead-cli/folders";
import { z } from "zod";

/** The API takes this many tools at a time, and bodies of 2 MiB. */
const TOOLS_AT_ONCE = 100;
const BYTES_AT_ONCE = 1_500_000;
const ANSWER_MS_MAX = 60_000;

const Answer = z.object({
  data: z.object({
    tools: z.array(
      z.object({
        folder: z.string(),
        outcome: z.string(),
        version: z.number().optional(),
        status: z.string().optional(),
        warnings: z.array(z.string()).optional(),
        error: z.object({ message: z.string() }).optional(),
      }),
    ),
  }),
});

export interface Sender {
  /** Makes the tools what the folder says; those that are as they were sent last are not sent again. Throws where the API can't be asked. */
  send(tools: readonly LoadedTool[]): Promise<void>;
}

export interface SenderDeps {
  url: string;
  key: string;
  /** One line for people. */
  say: (line: string) => void;
}

/** Sends tools to the API as an import of folders does, each on its own. */
export function openSender(deps: SenderDeps): Sender {
  const sent = new Map<string, string>();
  return {
    async send(tools) {
      const all = tools.map((tool) => ({ tool, name: nameOf(tool), folder: importFolderOf(tool) }));
      const changed = all
        .map((one) => ({ ...one, text: JSON.stringify(one.folder) }))
        .filter(({ name, text }) => sent.get(name) !== text);
      for (const part of inParts(changed)) {
        const named = new Map(part.map((one, at) => [folderName(one.tool, at), one]));
        const folders = Object.fromEntries([...named].map(([name, { folder }]) => [name, folder]));
        for (const { folder, ...answer } of await importTools(deps, folders)) {
          const one = named.get(folder);
          if (one === undefined) continue;
          sent.set(one.name, one.text);
          if (answer.outcome !== "unchanged") deps.say(lineOf(one.tool, answer));
        }
      }
      const there = new Set(all.map(({ name }) => name));
      for (const name of sent.keys()) {
        if (there.has(name)) continue;
        sent.delete(name);
        deps.say(`${name} is not in the folder any more; its tool stays until somebody deletes it`);
      }
    },
  };
}

type Imported = z.infer<typeof Answer>["data"]["tools"][number];

async function importTools({ url, key }: SenderDeps, tools: Record<string, unknown>): Promise<Imported[]> {
  const response = await fetch(`${url}/api/v1/custom-tools/import?mode=each&existing=update`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ tools }),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  const body: unknown = await response.json();
  if (response.ok) return Answer.parse(body).data.tools;
  const { detail } = body as { detail?: unknown };
  throw new Error(`the API answered ${response.status}: ${String(detail)}`);
}

/** Names of two owners may be the same. */
const nameOf = ({ record: { name, agentId } }: LoadedTool): string =>
  agentId === undefined ? name : `${name}@${agentId}`;

/** Unlike an agent's id, it may be the name of a folder: short, and without slashes. */
const folderName = ({ record: { name, agentId } }: LoadedTool, at: number): string =>
  agentId === undefined ? name : `${name}@${at}`;

function* inParts<T extends { text: string }>(all: readonly T[]): Iterable<T[]> {
  let part: T[] = [];
  let bytes = 0;
  for (const one of all) {
    const size = Buffer.byteLength(one.text);
    if (part.length === TOOLS_AT_ONCE || (part.length > 0 && bytes + size > BYTES_AT_ONCE)) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(one);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

function lineOf({ record, from }: LoadedTool, answer: Omit<Imported, "folder">): string {
  const what = `${from.file}: ${record.name} ${answer.outcome}`;
  if (answer.error) return `${what}: ${answer.error.message}`;
  const warned = (answer.warnings ?? []).map((warning) => `; ${warning}`).join("");
  return `${what} (version ${answer.version}, ${answer.status})${warned}`;
}
