import { RevocableCache } from "@bulkhead/process";
import type { ToolCatalogue } from "@bulkhead/core";
import { LRUCache } from "lru-cache";
import { policyMark, type Policy } from "./confirmation.ts";
import { chooserOf, type DefinitionFormat } from "./formats.ts";
import { wordTools, type WordedTools, type WordToolsRequest } from "./worded-tools.ts";

/**
 * The cache of all tenants and formats in this process: characters of the tools' definitions plus bytes of the answers.
 */
const CACHE_BYTES_MAX = 192 * 1024 * 1024;
/** The marks of all tenants; those of 10,000 tools take 250 KB. */
const MARKS_BYTES_MAX = 32 * 1024 * 1024;
const ENTRIES_MAX = 5_000;
/** For how long a tenant's marks are believed without a word of a change. */
const MARKS_TTL_MS = 5_000;

/** The other formats have no field for confirmation. */
const TELL_CONFIRMATION: ReadonlySet<DefinitionFormat> = new Set(["own", "mcp"]);

/** Definitions as they are sent: a JSON array in UTF-8. */
export interface WrittenDefinitions {
  json: Buffer;
  count: number;
  /** Tools that are left out because all together are too large. */
  omitted: number;
}

export interface ToolDefinitionsDeps {
  catalogue: Pick<ToolCatalogue, "definitionMarks" | "definitions">;
  /** False while words of a change may be missed. */
  trusted: () => boolean;
}

interface Kept extends WrittenDefinitions {
  marks: string;
  /** The mark of the policy that they were written by. */
  policyMark: string;
  worded: WordedTools;
}

/**
 * The definitions of tenants' active tools, as each agent sees them. Each format is written once until a tool changes, and
 * then only that tool; and anew for other settings, which come with each request. `revoke` makes the tenant's marks be
 * read again; if that message is lost, their expiry makes up for it.
 */
export class ToolDefinitions {
  readonly #catalogue: ToolDefinitionsDeps["catalogue"];
  readonly #marks: RevocableCache<{ marks: string }>;
  readonly #kept = new LRUCache<string, Kept>({
    max: ENTRIES_MAX,
    maxSize: CACHE_BYTES_MAX,
    sizeCalculation: sizeOf,
  });
  readonly #writing = new Map<string, Promise<Kept>>();

  constructor({ catalogue, trusted }: ToolDefinitionsDeps) {
    this.#catalogue = catalogue;
    this.#marks = new RevocableCache({
      entriesMax: ENTRIES_MAX,
      ttlMs: MARKS_TTL_MS,
      trusted,
      weight: { max: MARKS_BYTES_MAX, of: (key, { marks }) => key.length + marks.length },
    });
  }

  /**
   * The definitions as the agent sees them, with null as every agent does; `strict` marks schemas for the format's strict
   * mode, and `policy` holds the settings that decide on `requiresConfirmation`.
   */
  async get(
    tenantId: string,
    agentId: string | null,
    format: DefinitionFormat,
    strict: boolean,
    policy: Policy,
  ): Promise<WrittenDefinitions> {
    const { marks, seenBy } = await this.#marksOf(tenantId, agentId);
    const asked = {
      tenantId,
      agentId: seenBy,
      format,
      strict,
      policy: TELL_CONFIRMATION.has(format) ? policy : null,
    };
    const key = JSON.stringify([tenantId, seenBy, format, strict, asked.policy !== null]);
    const known = this.#kept.get(key);
    if (known?.marks === marks && known.policyMark === policyMark(asked.policy)) return known;
    return this.#writeOnce(key, { ...asked, marks });
  }

  revoke(tenantId: string): void {
    this.#marks.revoke(tenantId);
  }

  /** An agent without tools of its own shares the definitions that every agent sees: `seenBy` is null then. */
  async #marksOf(
    tenantId: string,
    agentId: string | null,
  ): Promise<{ marks: string; seenBy: string | null }> {
    const shared = await this.#readMarks(tenantId, null);
    const marks = agentId === null ? shared : await this.#readMarks(tenantId, agentId);
    return { marks, seenBy: marks === shared ? null : agentId };
  }

  async #readMarks(tenantId: string, agentId: string | null): Promise<string> {
    const loaded = await this.#marks.get(JSON.stringify([tenantId, agentId]), async () => {
      const marks = await this.#catalogue.definitionMarks(tenantId, agentId);
      return { value: { marks }, tags: [tenantId] };
    });
    // The load above always answers.
    return loaded?.marks ?? "";
  }

  /** Concurrent callers for the same state share the work. */
  async #writeOnce(key: string, asked: WordToolsRequest): Promise<Kept> {
    const id = `${key}@${policyMark(asked.policy)}@${asked.marks}`;
    const known = this.#writing.get(id);
    if (known) return known;
    const writing = this.#write(key, asked).finally(() => this.#writing.delete(id));
    this.#writing.set(id, writing);
    return writing;
  }

  /** The marks were read before the tools: a change in between is cached under the old marks, and so only briefly. */
  async #write(key: string, asked: WordToolsRequest): Promise<Kept> {
    const before = this.#kept.peek(key);
    const mark = policyMark(asked.policy);
    const alike = before?.policyMark === mark ? before.worded : undefined;
    const worded = await wordTools(this.#catalogue, asked, alike);
    const choose = chooserOf(asked.format);
    const texts = Array.from(worded.tools.values(), (tool) => choose(tool));
    const json = Buffer.from(`[${texts.join(",")}]`);
    const kept = {
      json,
      count: texts.length,
      omitted: worded.omitted,
      marks: asked.marks,
      policyMark: mark,
      worded,
    };
    this.#kept.set(key, kept);
    return kept;
  }
}

function sizeOf({ json, marks, worded }: Kept): number {
  let size = json.length + marks.length;
  for (const { plain, strict } of worded.tools.values()) size += plain.length + (strict?.words.length ?? 0);
  return size;
}
