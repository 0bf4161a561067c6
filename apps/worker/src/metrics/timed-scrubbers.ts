import type { Scrubber, ScrubLines, ScrubStream, Scrubbers } from "@bulkhead/core";
import { countBy, timeBy, type Meter } from "@bulkhead/process/telemetry";

type Tally = (tenantId: string, counts: ReadonlyMap<string, number>) => void;

/** The time that a scrubber has taken; milliseconds. */
interface Account {
  ms: number;
}

/** Scrubbers whose time is measured, and the tally that reports each when its run has ended. */
export interface TimedScrubbers {
  scrubbers: Scrubbers;
  /** `tally`, with covered values counted by kind and the scrubber's time as a phase of its run. */
  counting(tally: Tally): Tally;
}

/** Kinds that are listed as they are; the others are a tenant's own rule, or a vendor's kind of token. */
const LISTED = new Set(["value", "named", "unsearched"]);
const RULE = "rule:";

export function timeScrubbers(scrubbers: Scrubbers, meter: Meter): TimedScrubbers {
  const scrubbed = countBy(meter, "bulkhead_scrubbed_total");
  const time = timeBy(meter, "bulkhead_execution_phase_seconds");
  /** Keyed by a scrubber's counts, since only those are known when its run has ended. */
  const accounts = new WeakMap<ReadonlyMap<string, number>, Account>();
  return {
    scrubbers: {
      open(opening) {
        const scrubber = scrubbers.open(opening);
        const account = { ms: 0 };
        accounts.set(scrubber.counts, account);
        return timed(scrubber, account);
      },
    },
    counting: (tally) => (tenantId, counts) => {
      for (const [kind, count] of counts) scrubbed(shownKind(kind), count);
      const account = accounts.get(counts);
      if (account !== undefined) time("scrub", account.ms);
      tally(tenantId, counts);
    },
  };
}

/** A tenant names its rules, so their names are none of a metric's business. */
function shownKind(kind: string): string {
  if (LISTED.has(kind)) return kind;
  return kind.startsWith(RULE) ? "rule" : "token";
}

function timed(scrubber: Scrubber, account: Account): Scrubber {
  const taking = <Done>(work: () => Done): Done => {
    const since = performance.now();
    try {
      return work();
    } finally {
      account.ms += performance.now() - since;
    }
  };
  const lines = (of: ScrubLines): ScrubLines => ({
    push: (...more) => taking(() => of.push(...more)),
    settle: () => taking(() => of.settle()),
    end: () => taking(() => of.end()),
  });
  const bytes = (of: ScrubStream<Uint8Array>): ScrubStream<Uint8Array> => ({
    push: (chunk) => taking(() => of.push(chunk)),
    end: () => taking(() => of.end()),
  });
  return {
    add: (needles) => scrubber.add(needles),
    text: (text) => taking(() => scrubber.text(text)),
    json: (json) => taking(() => scrubber.json(json)),
    // The time of its threads is not this event loop's.
    document: (tenantId, json) => scrubber.document(tenantId, json),
    lines: () => lines(scrubber.lines()),
    bytes: () => bytes(scrubber.bytes()),
    counts: scrubber.counts,
  };
}
