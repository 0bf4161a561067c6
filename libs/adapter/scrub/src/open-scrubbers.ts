import type { Needle, Scrubber, ScrubberOpening, Scrubbers } from "@bulkhead/domain";
import { ByteStream } from "./byte-stream.ts";
import { LineStream } from "./line-stream.ts";
import { PatternCache } from "./pattern-cache.ts";
import { scrubJson } from "./scrub-json.ts";
import { scrubString, type ScrubMeans } from "./scrub-string.ts";
import { TableCache } from "./table-cache.ts";
import { TenantPatterns } from "./tenant-patterns.ts";
import { ToldValues } from "./told-values.ts";

/** What this thread has computed, however many others the machine has to serve. Milliseconds. */
function ownMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** One for a process; tables of equal needles are shared by the scrubbers that are in use at a time. */
export function openScrubbers(nowMs = ownMs): Scrubbers {
  const shared = { tables: new TableCache(), compiled: new PatternCache(), nowMs };
  return { open: (opening) => openScrubber(shared, opening) };
}

interface Shared {
  tables: TableCache;
  compiled: PatternCache;
  nowMs: () => number;
}

function openScrubber({ tables, compiled, nowMs }: Shared, opening: ScrubberOpening): Scrubber {
  const counts = new Map<string, number>();
  const count = (name: string, times = 1): void => {
    if (times > 0) counts.set(name, (counts.get(name) ?? 0) + times);
  };
  const checked = opening.patterns.map((pattern) => compiled.get(pattern));
  const patterns = new TenantPatterns(checked, count, nowMs);
  const told = ToldValues.of(opening, tables);
  let needles: readonly Needle[] = opening.needles;
  // Built at the first look at something: most executions say little, some nothing.
  let built: ScrubMeans | null = null;
  const means = (): ScrubMeans =>
    (built ??= {
      tables: tables.get(needles),
      patterns,
      told,
      count,
    });
  return {
    add(more) {
      needles = [...needles, ...more];
      built = null;
    },
    text: (text) => scrubString(means(), text),
    json: (json) => scrubJson(means(), json),
    lines: () => new LineStream(means),
    bytes: () => new ByteStream(means),
    counts,
  };
}
