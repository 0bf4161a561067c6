import { setTimeout as delay } from "node:timers/promises";
import { median } from "../load.ts";
import type { Machine } from "./machine.ts";
import type { Figure, Part, Settings } from "./part.ts";

/** A figure with what its rounds come to. */
export interface Summary extends Figure {
  median: number;
  min: number;
  max: number;
}

export interface PartReport {
  name: string;
  title: string;
  how: string;
  tookSeconds: number;
  figures: Summary[];
  /** Why there are none; null where there are. */
  failure: string | null;
}

/** What one run of the bench found. */
export interface Report {
  /** When it began, ISO 8601. */
  at: string;
  machine: Machine;
  settings: Pick<Settings, "rounds" | "seconds" | "streams">;
  parts: PartReport[];
}

const summarize = (figure: Figure): Summary => ({
  ...figure,
  median: median(figure.rounds),
  min: Math.min(...figure.rounds),
  max: Math.max(...figure.rounds),
});

/** How much longer than expected a part may take: machines differ, and others may use them. */
const TIMES_EXPECTED_MAX = 5;
const SECONDS_MORE_MAX = 60;

/** After so many seconds a part is given up. */
export const boundSeconds = (part: Part, settings: Settings): number =>
  Math.ceil(part.expectSeconds(settings) * TIMES_EXPECTED_MAX + SECONDS_MORE_MAX);

/**
 * Never rejects: what fails is in the report. `abandoned` says that the part was given up and still runs: nothing can be
 * measured beside it any more.
 */
export async function runPart(
  part: Part,
  settings: Settings,
): Promise<{ report: PartReport; abandoned: boolean }> {
  const { name, title, how } = part;
  const startedAt = performance.now();
  const told = (figures: Summary[], failure: string | null): PartReport => {
    const tookSeconds = Math.round((performance.now() - startedAt) / 100) / 10;
    return { name, title, how, tookSeconds, figures, failure };
  };
  const note = (line: string): void => settings.note(`${name}: ${line}`);
  const seconds = boundSeconds(part, settings);
  const over = new AbortController();
  try {
    const overdue = delay(seconds * 1_000, null, { signal: over.signal });
    const figures = await Promise.race([part.measure({ ...settings, note }), overdue]);
    if (figures === null) return { report: told([], `it was not done within ${seconds} s`), abandoned: true };
    const summaries = figures.map(summarize);
    const hollow = summaries.find(({ median: middle }) => !Number.isFinite(middle));
    const failure = hollow ? `"${hollow.what}" came to no number` : null;
    return { report: told(summaries, failure), abandoned: false };
  } catch (error) {
    return { report: told([], error instanceof Error ? error.message : String(error)), abandoned: false };
  } finally {
    over.abort();
  }
}

/** Three digits that mean something, or the whole number. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  const digits = size >= 100 || size === 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
