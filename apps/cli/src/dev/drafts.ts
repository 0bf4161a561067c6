import { BulkheadError, type Bulkhead } from "@bulkhead/client";
import { limitedTo } from "../examples/limited.ts";
import { placedIn, shownPlace } from "../examples/places.ts";
import { importFolderOf, type LoadedTool, type Place } from "../folders.ts";
import { isAway } from "./server.ts";

type Tools = Pick<Bulkhead["tools"], "import" | "list" | "delete">;

export type Uploaded =
  | { isTaken: true; isChanged: boolean; warnings: readonly string[] }
  | { isTaken: false; lines: string[]; place: Place | null };

const PAGE = 200;
/** The most that the server takes as a load's time. */
const LOAD_MS_MAX = 600_000;
const DELETED_AT_ONCE = 8;
const HTTP_NOT_FOUND = 404;
/** A body that no import takes; it is the tool's to be smaller. */
const HTTP_TOO_LARGE = 413;

/** The tools of a folder as tools of an agent that nobody else is. */
export class Drafts {
  readonly #tools: Tools;
  /** Ids by owner and name. */
  readonly #ids = new Map<string, string>();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  get count(): number {
    return this.#ids.size;
  }

  /** Takes over what an earlier session left to this agent. */
  async adopt(agentId: string): Promise<void> {
    for await (const { id, name } of this.#tools.list({ agentId, limit: PAGE }))
      this.#ids.set(keyOf(agentId, name), id);
  }

  /** Those of an earlier session that are none of these any more. */
  left(keys: ReadonlySet<string>): string[] {
    return [...this.#ids.keys()].filter((key) => !keys.has(key));
  }

  /** Makes the draft what the folder says. Throws the client's error where the server can't be asked. */
  async upload(draft: LoadedTool): Promise<Uploaded> {
    const { name, agentId } = draft.record;
    const folders = { [name]: importFolderOf(draft) };
    const loadMs = { [name]: Math.min(draft.durationMs, LOAD_MS_MAX) };
    const query = { mode: "each", existing: "update" } as const;
    try {
      const { tools } = await this.#tools.import({ tools: folders, loadMs }, query);
      const [answer] = tools;
      if (answer === undefined) throw new Error(`The server said nothing of ${name}.`);
      const { outcome, id, warnings = [], error } = answer;
      if (id !== undefined) this.#ids.set(keyOf(agentId, name), id);
      if (outcome !== "failed") return { isTaken: true, isChanged: outcome !== "unchanged", warnings };
      return refusalOf(draft, error?.message ?? "It was refused.", error?.errors ?? []);
    } catch (error) {
      if (!(error instanceof BulkheadError) || error.status !== HTTP_TOO_LARGE) throw error;
      return refusalOf(draft, error.message, []);
    }
  }

  /** Deletes a draft, if there is one. */
  async remove(key: string): Promise<boolean> {
    const id = this.#ids.get(key);
    if (id === undefined) return false;
    try {
      await this.#tools.delete(id);
    } catch (error) {
      if (!(error instanceof BulkheadError) || error.status !== HTTP_NOT_FOUND) throw error;
    }
    return this.#ids.delete(key);
  }

  /** Deletes all that is there, until the signal ends it; gives how many are left. */
  async removeAll(signal: AbortSignal): Promise<number> {
    const inTurn = limitedTo(DELETED_AT_ONCE);
    const remove = (key: string) =>
      inTurn(async () => {
        if (!signal.aborted) await this.remove(key);
      });
    const all = await Promise.allSettled([...this.#ids.keys()].map(remove));
    for (const one of all) if (one.status === "rejected" && !isAway(one.reason)) throw one.reason;
    return this.#ids.size;
  }
}

/** A draft among those of all owners. */
export const keyOf = (agentId: string | undefined, name: string): string =>
  JSON.stringify([agentId ?? null, name]);

interface Detail {
  path: string;
  message: string;
  line?: number;
  column?: number;
}

/** Why there is no such draft, with the developer's places. */
function refusalOf(draft: LoadedTool, message: string, errors: readonly Detail[]): Uploaded {
  let first: Place | null = null;
  const lines = errors.map(({ path, message: why, line, column }) => {
    // Its places are those of the tool's own code.
    const isOther = path.endsWith("/approval.js");
    const place = line === undefined || column === undefined || isOther ? null : draft.placeOf(line, column);
    first ??= place;
    return `${place === null ? path : shownPlace(place)} ${why.replace(/^line \d+, column \d+: /, "")}`;
  });
  const placed = placedIn(draft, message);
  return { isTaken: false, lines: [placed.text, ...lines], place: first ?? placed.place };
}
