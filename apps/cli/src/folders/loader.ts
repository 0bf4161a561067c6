import type { TypeStripper } from "@bulkhead/core";
import { openTypeStripper } from "@bulkhead/tools/types";
import { STRIPPED_AT_ONCE } from "./bounds.ts";
import { type Describer, openDescriber } from "./describe-module.ts";
import type { FoundFault } from "./fault-list.ts";
import { type ModuleCache, openModuleCache } from "./module-cache.ts";
import { RefusedFile } from "./read-file.ts";

export interface LoadOptions {
  /** The folder that files of modules may lie in, as a repository around the tools'; left out: the folder itself. */
  within?: string;
  /**
   * The folder, the user's alone, in which what was made of modules is kept between runs; left out: it is made anew. One that
   * can't be used is a warning.
   */
  cacheFolder?: string;
}

/** What loads of the same folder share: what was made before, and the threads and processes that make it. */
export interface Loader {
  cache: ModuleCache;
  stripper: Pick<TypeStripper, "strip">;
  describer: Describer;
  /** Told with each load. */
  faults: FoundFault[];
  close(): Promise<void>;
}

export async function openLoader(options: LoadOptions): Promise<Loader> {
  const { cache, faults } = await openCache(options);
  const threads = openTypeStripper();
  const describer = openDescriber();
  return {
    cache,
    faults,
    stripper: inLanes(threads, STRIPPED_AT_ONCE),
    describer,
    async close() {
      await Promise.all([threads.close(), describer.close()]);
    },
  };
}

/** Does work with a loader of its own. */
export async function withLoader<T>(options: LoadOptions, work: (loader: Loader) => Promise<T>): Promise<T> {
  const loader = await openLoader(options);
  try {
    return await work(loader);
  } finally {
    await loader.close();
  }
}

async function openCache(options: LoadOptions): Promise<Pick<Loader, "cache" | "faults">> {
  try {
    return { cache: await openModuleCache(options.cacheFolder), faults: [] };
  } catch (error) {
    if (!(error instanceof RefusedFile)) throw error;
    return { cache: await openModuleCache(undefined), faults: [cacheFault(options, error.message)] };
  }
}

export function cacheFault({ cacheFolder }: LoadOptions, why: string): FoundFault {
  const message = `what is made of modules is not kept in ${cacheFolder}: it ${why}`;
  return { severity: "warning", code: "cache.unusable", file: "", message };
}

/** What asks for more than the threads take waits here: there it would be refused after a while. */
function inLanes({ strip }: Pick<TypeStripper, "strip">, count: number): Pick<TypeStripper, "strip"> {
  const lanes = Array.from({ length: count }, (): Promise<unknown> => Promise.resolve());
  let asked = 0;
  return {
    strip(owner, code) {
      const lane = asked++ % count;
      const turn = (lanes[lane] as Promise<unknown>).then(() => strip(owner, code));
      lanes[lane] = turn.catch(() => undefined);
      return turn;
    },
  };
}
