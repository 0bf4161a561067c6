import { importFolderOf, inParts, type LoadedTool } from "bulkhead-cli/folders";
import { z } from "zod";

/** Each import is answered in a moment. */
const TOOLS_AT_ONCE = 100;
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

/** The API's answer to tools that it did not look at. */
export class ImportRefused extends Error {
  override readonly name = "ImportRefused";
  readonly status: number;

  constructor(status: number, detail: string) {
    super(`the API answered ${status}: ${detail}`);
    this.status = status;
  }

  /** Whether the same tools would be refused again. */
  get isLasting(): boolean {
    return this.status >= 400 && this.status < 500 && !PASSING.has(this.status);
  }

  /** Whether it is about what was sent, and not about who sent it. */
  get isOfTools(): boolean {
    return OF_TOOLS.has(this.status);
  }
}

const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429]);
const OF_TOOLS: ReadonlySet<number> = new Set([400, 413, 422]);

export interface Sender {
  /**
   * Makes the tools what the folder says; those that are as they were sent last are not sent again, nor is one that is refused
   * by itself. Throws `ImportRefused`, and where the API can't be asked.
   */
  send(tools: readonly LoadedTool[]): Promise<void>;
}

const Problem = z.object({ detail: z.string() });
/** Characters that are told of an answer that is no problem. */
const DETAIL_CHARS_MAX = 200;

export interface SenderDeps {
  url: string;
  key: string;
  /** One line for people. */
  say: (line: string) => void;
}

/** Sends tools to the API as an import of folders does, each on its own. */
export function openSender(deps: SenderDeps): Sender {
  const sent = new Map<string, string>();
  /** One tool that the API refuses keeps no other back. */
  const sendAlone = async ({ name, text, tool }: Changed, send: () => Promise<void>): Promise<void> => {
    try {
      await send();
    } catch (error) {
      if (!(error instanceof ImportRefused) || !error.isOfTools) throw error;
      sent.set(name, text);
      deps.say(`${tool.from.file}: ${tool.record.name} failed: ${error.message}`);
    }
  };
  return {
    async send(tools) {
      const all = tools.map((tool) => ({ tool, name: nameOf(tool), folder: importFolderOf(tool) }));
      const changed = all
        .map((one) => ({ ...one, text: JSON.stringify(one.folder) }))
        .filter(({ name, text }) => sent.get(name) !== text);
      const sendPart = async (part: typeof changed): Promise<void> => {
        const named = new Map(part.map((one, at) => [folderName(one.tool, at), one]));
        const folders = Object.fromEntries([...named].map(([name, { folder }]) => [name, folder]));
        for (const { folder, ...answer } of await importTools(deps, folders)) {
          const one = named.get(folder);
          if (one === undefined) continue;
          sent.set(one.name, one.text);
          if (answer.outcome !== "unchanged") deps.say(lineOf(one.tool, answer));
        }
      };
      for (const part of inParts(changed, TOOLS_AT_ONCE)) {
        try {
          await sendPart(part);
        } catch (error) {
          if (!(error instanceof ImportRefused) || !error.isOfTools) throw error;
          for (const one of part) await sendAlone(one, () => sendPart([one]));
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

interface Changed {
  tool: LoadedTool;
  name: string;
  text: string;
}

type Imported = z.infer<typeof Answer>["data"]["tools"][number];

async function importTools({ url, key }: SenderDeps, tools: Record<string, unknown>): Promise<Imported[]> {
  const response = await fetch(`${url}/api/v1/custom-tools/import?mode=each&existing=update`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ tools }),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  const text = await response.text();
  if (response.ok) return Answer.parse(JSON.parse(text)).data.tools;
  throw new ImportRefused(response.status, detailOf(text));
}

/** Whatever stands before the API may answer with something else than a problem. */
function detailOf(text: string): string {
  try {
    return Problem.parse(JSON.parse(text)).detail;
  } catch {
    return text.slice(0, DETAIL_CHARS_MAX) || "nothing more";
  }
}

/** Names of two owners may be the same. */
const nameOf = ({ record: { name, agentId } }: LoadedTool): string =>
  agentId === undefined ? name : `${name}@${agentId}`;

/** Unlike an agent's id, it may be the name of a folder: short, and without slashes. */
const folderName = ({ record: { name, agentId } }: LoadedTool, at: number): string =>
  agentId === undefined ? name : `${name}@${at}`;

function lineOf({ record, from }: LoadedTool, answer: Omit<Imported, "folder">): string {
  const what = `${from.file}: ${record.name} ${answer.outcome}`;
  if (answer.error) return `${what}: ${answer.error.message}`;
  const warned = (answer.warnings ?? []).map((warning) => `; ${warning}`).join("");
  return `${what} (version ${answer.version}, ${answer.status})${warned}`;
}
