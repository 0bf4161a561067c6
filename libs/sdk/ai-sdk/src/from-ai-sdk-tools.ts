import type { Operations, PutToolBody } from "@bulkhead/client";

export interface FromAiSdkToolsOptions {
  client: { tools: Pick<Operations["tools"], "put"> };
  /** The agent whose own tools they become; left out: the tenant's. */
  agentId?: string | undefined;
  /** The folder in which the files lie that the module imports, packages apart; left out: the module's own. */
  within?: string | undefined;
}

export interface PublishedTool {
  name: string;
  /** The name that models see, where the module's is not one of Bulkhead's. */
  alias?: string;
  /** Such as `weather`, or `tools["weather"]` of a record of tools. */
  export: string | null;
  version: number;
  status: string;
  /** False where the tool was so before. */
  changed: boolean;
  warnings: readonly string[];
}

/** Why a module's tools can't be published; lines and columns count from 1. */
export interface ModuleFault {
  severity: "error" | "warning";
  /** Permanent, such as `schema.invalid`. */
  code: string;
  /** Relative to the module's folder. */
  file: string;
  export: string | null;
  line: number | null;
  column: number | null;
  message: string;
}

/** Some tools of the module are at fault, and none was published. */
export class UnpublishableTools extends Error {
  override readonly name = "UnpublishableTools";
  readonly faults: readonly ModuleFault[];

  constructor(faults: readonly ModuleFault[]) {
    super(faults.map(lineOf).join("\n"));
    this.faults = faults;
  }
}

/** What of the command line's loader is used; its types are none of this package's. */
interface ToolLoader {
  loadFile: (
    path: string | URL,
    options: { within?: string },
  ) => Promise<{ tools: LoadedTool[]; faults: ModuleFault[] }>;
}

interface LoadedTool {
  record: PutToolBody & { name: string };
  from: { file: string; export: string | null };
}

/** No literal: what only gives tools to a loop does without the package, and so do bundlers. */
const LOADER: string = "bulkhead-cli/folders";
/** Tools that are sent at a time. */
const SENT_AT_ONCE = 8;

/**
 * Publishes the tools that a module exports: each `tool({ … })`, and those in records and lists. The module is bundled with the
 * packages it needs, so that a path or a `file:` address is given and not the module itself: the text of a function does not
 * have what it closes over. The same module again changes nothing. Rejects with `UnpublishableTools` before anything is sent,
 * and with the client's errors; after one of those some tools may be published.
 */
export async function fromAiSdkTools(
  module: string | URL,
  { client, agentId, within }: FromAiSdkToolsOptions,
): Promise<PublishedTool[]> {
  if (typeof module !== "string" && !(module instanceof URL))
    throw new TypeError("module must be the path of a file or its address, not what it exports");
  const { loadFile } = await openLoader();
  const { tools, faults } = await loadFile(module, within === undefined ? {} : { within });
  if (faults.some(({ severity }) => severity === "error")) throw new UnpublishableTools(faults);
  const warned = (name: string | null): string[] =>
    faults.flatMap((fault) => (fault.export === name ? [fault.message] : []));
  const publish = async ({ record, from }: LoadedTool): Promise<PublishedTool> => {
    const body = agentId === undefined ? record : { ...record, agentId };
    const {
      name,
      alias,
      version,
      status,
      changed,
      warnings = [],
    } = await client.tools.put(record.name, body);
    return {
      name,
      ...(alias !== undefined && { alias }),
      export: from.export,
      version,
      status,
      changed,
      warnings: [...warned(from.export), ...warnings],
    };
  };
  const published: PublishedTool[] = [];
  for (let at = 0; at < tools.length; at += SENT_AT_ONCE)
    published.push(...(await Promise.all(tools.slice(at, at + SENT_AT_ONCE).map(publish))));
  return published;
}

async function openLoader(): Promise<ToolLoader> {
  try {
    return (await import(LOADER)) as ToolLoader;
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new Error("The package bulkhead-cli bundles tools, and is not there: npm install bulkhead-cli", {
      cause,
    });
  }
}

function lineOf({ file, line, column, export: name, message }: ModuleFault): string {
  const place = line === null ? file : `${file}:${line}:${column}`;
  return `${place} ${name === null ? "" : `${name} `}${message}`;
}
