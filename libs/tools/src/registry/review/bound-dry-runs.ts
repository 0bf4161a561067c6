import {
  DRY_RUN_EFFECTS_MAX,
  DRY_RUN_MORE,
  EVIDENCE_EFFECTS_MAX,
  EVIDENCE_RESULTS_CHARS_MAX,
  type DryRun,
  type DryRunEffect,
} from "@bulkhead/core";

/** The dry runs of a version, each within its share of the evidence, and the effects that all of them tried. */
export interface BoundDryRuns {
  dryRuns: DryRun[];
  /** Each effect once, of each kind the first `DRY_RUN_EFFECTS_MAX`, and that there were more. */
  seen: DryRunEffect[];
}

/**
 * Cuts results to `EVIDENCE_RESULTS_CHARS_MAX` and effects to `EVIDENCE_EFFECTS_MAX`, over all dry runs together: large
 * ones are cut to one size, the others stay whole. A cut is marked like one that was made when the run was stored.
 */
export function boundDryRuns(all: readonly DryRun[]): BoundDryRuns {
  const texts = all.map(textOf);
  const charsMax = shareOf(
    texts.map(({ length }) => length),
    EVIDENCE_RESULTS_CHARS_MAX,
  );
  const effectsMax = shareOf(
    all.map(({ effects }) => effects.length),
    EVIDENCE_EFFECTS_MAX,
  );
  const dryRuns = all.map((run, at) => {
    const effects = firstOf(run.effects, effectsMax);
    const text = texts[at] ?? "";
    if (text.length <= charsMax) return { ...run, effects };
    return { ...run, effects, result: text.slice(0, charsMax).toWellFormed(), truncated: true };
  });
  return { dryRuns, seen: eachOnce(all.flatMap(({ effects }) => effects)) };
}

const textOf = ({ result, truncated }: DryRun): string =>
  truncated && typeof result === "string" ? result : JSON.stringify(result);

/**
 * The most that each of them may have, so that all together have no more than `max`: a larger one gets the share that
 * smaller ones leave.
 */
function shareOf(sizes: readonly number[], max: number): number {
  let left = max;
  for (const [at, size] of sizes.toSorted((one, other) => one - other).entries()) {
    const share = Math.floor(left / (sizes.length - at));
    if (size > share) return share;
    left -= size;
  }
  return max;
}

/** The first ones, the last of their places for that there were more of a kind. */
function firstOf(effects: DryRunEffect[], max: number): DryRunEffect[] {
  if (effects.length <= max) return effects;
  const kinds = [...new Set(effects.map(({ kind }) => kind))];
  const kept = effects.slice(0, Math.max(0, max - kinds.length));
  const lost = new Set(effects.slice(kept.length).map(({ kind }) => kind));
  return eachOnce([...kept, ...[...lost].map((kind) => ({ kind, target: DRY_RUN_MORE }))]);
}

function eachOnce(effects: readonly DryRunEffect[]): DryRunEffect[] {
  const counts = new Map<string, number>();
  const once = new Map<string, DryRunEffect>();
  for (const { kind, target } of effects) {
    if (once.has(`${kind} ${target}`)) continue;
    const count = counts.get(kind) ?? 0;
    const put = { kind, target: count < DRY_RUN_EFFECTS_MAX ? target : DRY_RUN_MORE };
    once.set(`${kind} ${put.target}`, put);
    counts.set(kind, count + 1);
  }
  return [...once.values()];
}
