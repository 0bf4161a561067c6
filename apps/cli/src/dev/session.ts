import { posix } from "node:path";
import { performance } from "node:perf_hooks";
import type { ExampleCase, FoundExamples } from "../examples/find-examples.ts";
import { limitedTo } from "../examples/limited.ts";
import { frameAt } from "../examples/places.ts";
import { tryExample, type TriedExample, type TryDeps } from "../examples/try-example.ts";
import type { LoadedFolder, LoadedTool } from "../folders.ts";
import { keyOf, type Drafts, type Uploaded } from "./drafts.ts";
import { draftOf } from "./namespace.ts";
import type { Server } from "./server.ts";
import type { Teller } from "./teller.ts";
import type { TypesFile } from "./types-file.ts";

interface SessionDeps extends Omit<TryDeps, "loaded" | "agentId"> {
  /** The agent that drafts belong to. */
  agent: string;
  drafts: Drafts;
  server: Server;
  teller: Teller;
  /** Null: none is kept. */
  types: TypesFile | null;
  /** Ends all work. */
  signal: AbortSignal;
  /** Hears what no waiting mends, such as a key that was revoked. */
  fail: (error: unknown) => void;
}

/** Tools that are uploaded and tried at one time. */
const TOOLS_AT_ONCE = 4;

/** A tool as it was seen last, and the work on it. */
interface Seen {
  draft: LoadedTool;
  text: string;
  work: Promise<void>;
  superseded: AbortController;
}

/** Why older work on a tool is left. */
const SAVED_AGAIN = "saved again";

/** One look at the folder. */
interface Look {
  loaded: LoadedFolder;
  /** Since when the change is known, of `performance.now()`. */
  since: number;
  isFirst: boolean;
}

/** What `bulkhead dev` does with each change: only what changed is uploaded and tried, and one bad tool stops no other. */
export class DevSession {
  readonly #deps: SessionDeps;
  readonly #seen = new Map<string, Seen>();
  readonly #inTurn = limitedTo(TOOLS_AT_ONCE);
  readonly #removals = new Set<Promise<void>>();
  #told = new Set<string>();
  #isFirst = true;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  /** Begins the work for what is new in the folder, and waits for none of it. */
  changed(loaded: LoadedFolder, found: FoundExamples): void {
    const look = { loaded, since: performance.now() - loaded.durations.totalMs, isFirst: this.#isFirst };
    this.#isFirst = false;
    this.#tellFaults(loaded, found);
    const broken = new Set(
      loaded.faults.filter(({ severity }) => severity === "error").map(({ file }) => posix.dirname(file)),
    );
    const there = new Set<string>();
    for (const tool of loaded.tools) {
      const draft = draftOf(this.#deps.agent, tool);
      const key = keyOf(draft.record.agentId, draft.record.name);
      there.add(key);
      this.#take(key, draft, found.of.get(tool) ?? [], look);
    }
    for (const [key, { draft }] of this.#seen) {
      if (there.has(key)) continue;
      // What can't be loaded for now is not gone; once it is mended it is tried, changed or not.
      if (broken.has(posix.dirname(draft.from.file))) this.#forget(key);
      else this.#remove(key, draft.record.name);
    }
    if (!look.isFirst) return;
    for (const key of this.#deps.drafts.left(there))
      this.#remove(key, (JSON.parse(key) as string[])[1] ?? "");
  }

  /** Resolves when nothing is under way any more. */
  async settled(): Promise<void> {
    await Promise.all([...this.#seen.values()].map(({ work }) => work));
    await Promise.all(this.#removals);
    await this.#deps.types?.settled();
  }

  /** Each fault once, until it is gone. */
  #tellFaults({ faults }: LoadedFolder, { problems }: FoundExamples): void {
    const now = new Map<string, () => void>();
    for (const fault of faults) now.set(JSON.stringify(fault), () => this.#deps.teller.fault(fault));
    for (const problem of problems) now.set(problem, () => this.#deps.teller.problem(problem));
    for (const [text, tell] of now) if (!this.#told.has(text)) tell();
    this.#told = new Set(now.keys());
  }

  #take(key: string, draft: LoadedTool, cases: readonly ExampleCase[], look: Look): void {
    const text = JSON.stringify([draft.record, cases]);
    const before = this.#seen.get(key);
    if (before?.text === text) return;
    before?.superseded.abort(SAVED_AGAIN);
    const superseded = new AbortController();
    const ends = AbortSignal.any([superseded.signal, this.#deps.signal]);
    const after = before?.work ?? Promise.resolve();
    const work = after
      .then(() => this.#inTurn(() => this.#upload(draft, cases, look, ends)))
      .catch((error: unknown) => {
        if (superseded.signal.reason === SAVED_AGAIN) this.#deps.teller.superseded(draft);
        else if (!ends.aborted) this.#deps.fail(error);
      });
    this.#seen.set(key, { draft, text, work, superseded });
  }

  async #upload(
    draft: LoadedTool,
    cases: readonly ExampleCase[],
    look: Look,
    ends: AbortSignal,
  ): Promise<void> {
    const { drafts, server, teller, types } = this.#deps;
    const began = performance.now();
    const uploaded = await server.untilAnswered(ends, () => drafts.upload(draft));
    const uploadMs = performance.now() - began;
    if (!uploaded.isTaken) {
      const { lines, place } = uploaded;
      teller.refused(draft, lines, place, place && (await frameAt(this.#deps.root, look.loaded, place)));
      return;
    }
    ends.throwIfAborted();
    await this.#try(draft, cases, look, ends, { uploaded, uploadMs });
    if (uploaded.isChanged || look.isFirst) types?.renew();
  }

  async #try(
    draft: LoadedTool,
    cases: readonly ExampleCase[],
    { loaded, since, isFirst }: Look,
    ends: AbortSignal,
    { uploaded, uploadMs }: { uploaded: Extract<Uploaded, { isTaken: true }>; uploadMs: number },
  ): Promise<void> {
    const { teller, server, agent, ...others } = this.#deps;
    const deps: TryDeps = { ...others, loaded, agentId: draft.record.agentId ?? agent };
    const began = performance.now();
    const examples: TriedExample[] = [];
    for (const tried of cases) {
      const options = isFirst
        ? { signal: ends }
        : { signal: ends, tell: (event: Said) => teller.log(draft, event) };
      examples.push(await server.untilAnswered(ends, () => tryExample(deps, draft, tried, options)));
    }
    const ended = performance.now();
    const times = {
      totalMs: ended - since,
      loadMs: loaded.durations.totalMs,
      uploadMs,
      runMs: ended - began,
    };
    teller.tried({ tool: draft, times, examples, warnings: uploaded.warnings, isLogTold: !isFirst });
  }

  #forget(key: string): void {
    const seen = this.#seen.get(key);
    if (seen === undefined || seen.text === "") return;
    seen.superseded.abort();
    this.#seen.set(key, { ...seen, text: "" });
  }

  /** Its draft goes when what was done with it has ended. */
  #remove(key: string, name: string): void {
    const { drafts, server, signal, teller, types, fail } = this.#deps;
    const seen = this.#seen.get(key);
    seen?.superseded.abort();
    this.#seen.delete(key);
    const removal = (seen?.work ?? Promise.resolve())
      .then(() => server.untilAnswered(signal, () => drafts.remove(key)))
      .then((isRemoved) => {
        if (!isRemoved) return;
        teller.gone(name);
        types?.renew();
      })
      .catch((error: unknown) => {
        if (!signal.aborted) fail(error);
      })
      .finally(() => this.#removals.delete(removal));
    this.#removals.add(removal);
  }
}

type Said = TriedExample["events"][number];
