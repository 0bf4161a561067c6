import { Fault, isDenied, layersOf, routeOf, type SearchedFile, type WorkspaceLayer } from "@bulkhead/core";
import {
  folderPath,
  isGone,
  termsOf,
  type FileAsker,
  type FilesDeps,
  type FileTerms,
} from "./file-access.ts";
import { compileGlob } from "./glob.ts";
import type { SearchMatch } from "./search-lines.ts";
import { readSearchPattern, type SearchPattern } from "./search-pattern.ts";

/** Lines that one search answers. */
export const SEARCH_MATCHES_MAX = 1_000;
/** For how long one search goes on; milliseconds. */
const SEARCH_MS_MAX = 10_000;
/** Files, and their bytes, that are looked at at once. */
const PAGE_FILES = 2_000;
const PAGE_BYTES = 8 * 1024 * 1024;

interface Searching {
  /** A regular expression, which is matched against each line. */
  pattern: string;
  /** Unset: the root. */
  folder?: string;
  /** Of which files, by their paths from the folder; unset: all. */
  glob?: string;
  ignoresCase?: boolean;
  /** `SEARCH_MATCHES_MAX` at most. */
  limit?: number;
  signal?: AbortSignal;
}

export interface SearchAnswer {
  /** By path and line; of each layer of the workspace's files on its own. */
  matches: SearchMatch[];
  filesSearched: number;
  /** Files that are no text, of those that hold what the pattern needs. */
  binarySkipped: number;
  /** Why there may be more: null: there is not. */
  cut: "matches" | "time" | null;
}

/** Throws `file.pattern_invalid` and `file.search_busy`. */
export async function searchFiles(
  deps: FilesDeps,
  asker: FileAsker,
  {
    pattern: said,
    folder: within = "",
    glob,
    ignoresCase = false,
    limit = SEARCH_MATCHES_MAX,
    signal,
  }: Searching,
): Promise<SearchAnswer> {
  const pattern = readSearchPattern(said, ignoresCase);
  const matcher = glob === undefined ? null : compileGlob(glob);
  const folder = folderPath(within);
  const terms = await termsOf(deps, asker);
  const answer: SearchAnswer = { matches: [], filesSearched: 0, binarySkipped: 0, cut: null };
  if (folder !== "" && isDenied(terms.denied, folder)) return answer;
  const begin = folder === "" ? 0 : folder.length + 1;
  const run = new SearchRun(deps, asker, terms, {
    pattern,
    folder,
    isMeant: (path) => matcher?.matches(path.slice(begin)) ?? true,
    limit: Math.min(limit, SEARCH_MATCHES_MAX),
    until: performance.now() + SEARCH_MS_MAX,
    signal,
  });
  return run.over(answer);
}

interface Terms {
  pattern: SearchPattern;
  folder: string;
  isMeant: (path: string) => boolean;
  limit: number;
  /** On the monotonic clock. */
  until: number;
  signal: AbortSignal | undefined;
}

/** One search, layer by layer and page by page. */
class SearchRun {
  readonly #deps: FilesDeps;
  readonly #asker: FileAsker;
  readonly #terms: FileTerms;
  readonly #asked: Terms;
  /** Paths of earlier layers by which files of later ones are hidden. */
  readonly #hiding = new Set<string>();

  constructor(deps: FilesDeps, asker: FileAsker, terms: FileTerms, asked: Terms) {
    this.#deps = deps;
    this.#asker = asker;
    this.#terms = terms;
    this.#asked = asked;
  }

  async over(answer: SearchAnswer): Promise<SearchAnswer> {
    for (const layer of layersOf(this.#asker.workspace, this.#terms.kind)) {
      await this.#layer(layer, answer);
      if (answer.cut !== null) break;
    }
    return answer;
  }

  async #layer(layer: WorkspaceLayer, answer: SearchAnswer): Promise<void> {
    const { pattern, folder, limit, until, signal } = this.#asked;
    const literal = pattern.literal === null ? null : Buffer.from(pattern.literal);
    const { denied } = this.#terms;
    const asked = { folder, denied, limit: PAGE_FILES, bytesMax: PAGE_BYTES, literal };
    const read = (after: string | null) => this.#deps.files.search(layer, { ...asked, after });
    for (let reading = read(null); ;) {
      const page = await reading;
      // The next files are read while these are searched.
      if (page.next !== null) {
        reading = read(page.next);
        reading.catch(() => undefined);
      }
      const isSeen = (file: { path: string; size: number }): boolean =>
        this.#asked.isMeant(file.path) && !this.#hiding.has(file.path) && !isGone(file, this.#terms.kind);
      answer.filesSearched += page.looked.filter(isSeen).length;
      await this.#search(
        page.files.filter(({ path, bytes }) => isSeen({ path, size: bytes.length })),
        answer,
      );
      for (const { path } of page.looked)
        if (routeOf(path, this.#terms.kind) !== null) this.#hiding.add(path);
      if (answer.matches.length >= limit) answer.cut = "matches";
      // Nobody waits any more, or has waited long enough.
      else if (page.next !== null && (signal?.aborted || performance.now() > until)) answer.cut = "time";
      if (page.next === null || answer.cut !== null) return;
    }
  }

  async #search(files: readonly SearchedFile[], answer: SearchAnswer): Promise<void> {
    if (files.length === 0) return;
    const { pattern, limit } = this.#asked;
    const job = { ...pattern, files, limit: limit - answer.matches.length };
    const done = await this.#deps.search.run(this.#asker.workspace.tenantId, job);
    if (done.outcome === "answered") {
      answer.matches.push(...done.answer.matches);
      answer.binarySkipped += done.answer.binarySkipped;
      return;
    }
    if (done.outcome === "overran") {
      answer.cut = "time";
      return;
    }
    throw new Fault("file.search_busy", {
      detail: "Too many searches of files are under way; try again.",
      retryAfterSeconds: 1,
    });
  }
}
