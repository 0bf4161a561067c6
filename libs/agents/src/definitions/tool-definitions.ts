import { RevocableCache } from "@bulkhead/process";
import { scopeOfAgent, type ProvidedTool, type ToolCatalogue } from "@bulkhead/core";
import type { Sight } from "@bulkhead/policy";
import { LRUCache } from "lru-cache";
import { openedBuiltIns, wordBuiltIns, type BuiltInPolicies, type OpenedTool } from "./built-ins.ts";
import { policyMark } from "./confirmation.ts";
import { chooserOf, type DefinitionFormat } from "./formats.ts";
import { tellServices, type ServiceNames } from "./tell-services.ts";
import {
  idOf,
  marksIn,
  wordTools,
  type NamedWording,
  type WordedTools,
  type WordToolsRequest,
} from "./worded-tools.ts";

/**
 * The cache of all tenants and formats in this process: characters of the tools' definitions plus bytes of the answers.
 */
const CACHE_BYTES_MAX = 192 * 1024 * 1024;
/** Bytes of the answers to askers to whom a policy leaves a part. */
const CHOSEN_BYTES_MAX = 64 * 1024 * 1024;
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
  catalogue: Pick<ToolCatalogue, "definitionMarks" | "definitions" | "names">;
  /** False while words of a change may be missed. */
  trusted: () => boolean;
  /** The tools that come with the platform and work here. */
  builtIns: readonly ProvidedTool[];
  configServices: ServiceNames["configServices"];
}

interface Kept extends WrittenDefinitions {
  /** Another for each writing in this process. */
  writing: number;
  /** Of all the tools, also where these are a part. */
  marks: string;
  /** The mark of the policy that they were written by. */
  policyMark: string;
  worded: WordedTools;
}

/** The part of definitions that one sight sees, taken from what that writing made. */
type Chosen = WrittenDefinitions & Pick<Kept, "writing">;

/**
 * The definitions of tenants' active tools, as each agent sees them. Each format is written once until a tool changes, and
 * then only that tool; and anew for other settings, which come with each request. `revoke` makes the tenant's marks be
 * read again; if that message is lost, their expiry makes up for it.
 */
export class ToolDefinitions {
  readonly #catalogue: ToolDefinitionsDeps["catalogue"];
  readonly #builtIns: readonly ProvidedTool[];
  readonly #services: ServiceNames;
  readonly #marks: RevocableCache<{ marks: string }>;
  readonly #kept = new LRUCache<string, Kept>({
    max: ENTRIES_MAX,
    maxSize: CACHE_BYTES_MAX,
    sizeCalculation: sizeOf,
  });
  readonly #chosen = new LRUCache<string, Chosen>({
    max: ENTRIES_MAX,
    maxSize: CHOSEN_BYTES_MAX,
    sizeCalculation: ({ json }, key) => json.length + key.length,
  });
  readonly #writing = new Map<string, Promise<Kept>>();
  #writings = 0;

  constructor({ catalogue, trusted, builtIns, configServices }: ToolDefinitionsDeps) {
    this.#services = { configServices };
    this.#catalogue = catalogue;
    this.#builtIns = builtIns;
    this.#marks = new RevocableCache({
      entriesMax: ENTRIES_MAX,
      ttlMs: MARKS_TTL_MS,
      trusted,
      weight: { max: MARKS_BYTES_MAX, of: (key, { marks }) => key.length + marks.length },
    });
  }

  /**
   * The definitions as the agent sees them, with null as every agent does; `strict` marks schemas for the format's strict
   * mode, `policies` hold the settings that decide on `requiresConfirmation`, and `sight` leaves out what is not there for who
   * asks (null: nothing).
   */
  async get(
    tenantId: string,
    agentId: string | null,
    format: DefinitionFormat,
    strict: boolean,
    policies: BuiltInPolicies,
    sight: Sight | null,
  ): Promise<WrittenDefinitions> {
    const { marks, seenBy } = await this.#marksOf(tenantId, agentId);
    const asked = {
      tenantId,
      agentId: seenBy,
      format,
      strict,
      policy: TELL_CONFIRMATION.has(format) ? policies.policy : null,
      marks,
      isPart: false,
    };
    const key = JSON.stringify([tenantId, seenBy, format, strict, asked.policy !== null]);
    const all = this.#current(key, asked) ?? (await this.#writeOnce(key, asked));
    if (sight === null) return all;
    const opens = openedBuiltIns(this.#builtIns, policies, sight);
    const opened = await tellServices(this.#services, tenantId, policies, opens);
    return all.omitted > 0
      ? withBuiltIns(await this.#writePart(key, asked, sight), opened, asked)
      : this.#choose(key, asked, all, sight, opened);
  }

  #current(key: string, { marks, policy }: Pick<WordToolsRequest, "marks" | "policy">): Kept | undefined {
    const known = this.#kept.get(key);
    return known?.marks === marks && known.policyMark === policyMark(policy) ? known : undefined;
  }

  /** Where all are too many, what one sight sees is read by itself: what it doesn't see takes no room from it. */
  async #writePart(key: string, asked: WordToolsRequest, sight: Sight): Promise<Kept> {
    const partKey = `${key}@${sight.mark}`;
    const known = this.#current(partKey, asked);
    if (known) return known;
    const named = await this.#catalogue.names(asked.tenantId, scopeOfAgent(asked.agentId));
    const seen = new Set(named.filter((tool) => sight.sees(tool)).map(({ id }) => id));
    const marks = marksIn(asked.marks).filter((mark) => seen.has(idOf(mark)));
    return this.#writeOnce(partKey, { ...asked, marks: marks.join(","), isPart: true }, asked.marks);
  }

  /** Of thousands of tools this takes a hundred times as long as a look into memory. */
  #choose(
    key: string,
    asked: Pick<WordToolsRequest, "format" | "strict">,
    all: Kept,
    sight: Sight,
    opened: readonly OpenedTool[],
  ): WrittenDefinitions {
    const chosenKey = `${key}@${sight.mark}@${opened.map(markOf).join()}`;
    const known = this.#chosen.get(chosenKey);
    if (known?.writing === all.writing) return known;
    const seen = all.worded.tools.values().filter((tool) => sight.sees(tool));
    const own = { ...joined(asked.format, seen), omitted: 0, worded: all.worded };
    const chosen = { ...withBuiltIns(own, opened, asked), writing: all.writing };
    this.#chosen.set(chosenKey, chosen);
    return chosen;
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
  async #writeOnce(key: string, asked: WordToolsRequest, marks = asked.marks): Promise<Kept> {
    const id = `${key}@${policyMark(asked.policy)}@${marks}`;
    const known = this.#writing.get(id);
    if (known) return known;
    const writing = this.#write(key, asked, marks).finally(() => this.#writing.delete(id));
    this.#writing.set(id, writing);
    return writing;
  }

  /** The marks were read before the tools: a change in between is cached under the old marks, and so only briefly. */
  async #write(key: string, asked: WordToolsRequest, marks: string): Promise<Kept> {
    const before = this.#kept.peek(key);
    const mark = policyMark(asked.policy);
    const alike = before?.policyMark === mark ? before.worded : undefined;
    const worded = await wordTools(this.#catalogue, asked, alike);
    const kept = {
      ...joined(asked.format, worded.tools.values()),
      writing: (this.#writings += 1),
      omitted: worded.omitted,
      marks,
      policyMark: mark,
      worded,
    };
    this.#kept.set(key, kept);
    return kept;
  }
}

/** What is of a tenant or of who asks in the definition of one; the rest is the same in this process. */
const markOf = ({ name, requiresConfirmation, serviceKinds, description }: OpenedTool): string =>
  `${name}${requiresConfirmation ? "?" : ""}${serviceKinds === undefined ? "" : JSON.stringify(description)}`;

/** Behind the tenant's own tools; one of those that has the name is the one that calls reach. */
function withBuiltIns(
  { json, count, omitted, worded }: WrittenDefinitions & Pick<Kept, "worded">,
  opened: readonly OpenedTool[],
  { format, strict }: Pick<WordToolsRequest, "format" | "strict">,
): WrittenDefinitions {
  const taken = new Set(Array.from(worded.tools.values(), ({ name }) => name));
  const added = wordBuiltIns(
    opened.filter(({ name }) => !taken.has(name)),
    format,
    strict,
  );
  if (added.length === 0) return { json, count, omitted };
  const list = Buffer.from(`${count === 0 ? "" : ","}${added.join(",")}]`);
  return { json: Buffer.concat([json.subarray(0, -1), list]), count: count + added.length, omitted };
}

/** An answer of these tools; its first ones are strict while the format's allowance lasts. */
function joined(
  format: DefinitionFormat,
  tools: Iterable<NamedWording>,
): Omit<WrittenDefinitions, "omitted"> {
  const choose = chooserOf(format);
  const texts = Array.from(tools, (tool) => choose(tool));
  return { json: Buffer.from(`[${texts.join(",")}]`), count: texts.length };
}

function sizeOf({ json, marks, worded }: Kept): number {
  let size = json.length + marks.length;
  for (const { name, alias, plain, strict } of worded.tools.values())
    size += name.length + (alias?.length ?? 0) + plain.length + (strict?.words.length ?? 0);
  return size;
}
