import { median } from "./load.ts";
import type { SoakResult, SoakSample } from "./soak-run.ts";

/** Memory after warm-up may differ by so much between the second and the last quarter; V8 breathes. */
const GROWTH_MIB_MAX = 24;
const GROWTH_SHARE_MAX = 0.15;
/** Descriptors come and go with processes that start. */
const DESCRIPTORS_MAX_MORE = 24;
const QUARTER = 4;
/** What grows before so many runs is caches and heaps that fill for the first time. */
const WARM_UP_RUNS = 500;
/** Fewer samples, one a second, say nothing of growth. */
const SAMPLES_MIN = 12;

/** The median of one figure in a quarter of the samples, the first quarter being 0. */
const inQuarter = (samples: SoakSample[], quarter: number, figure: keyof SoakSample): number => {
  const size = Math.floor(samples.length / QUARTER);
  return median(samples.slice(quarter * size, (quarter + 1) * size).map((sample) => sample[figure]));
};

/** What was not as it must be, in words; none of a sound soak. Flatness is judged after the warm-up. */
export function faultsOf({ samples: sampled, faults, left }: SoakResult): string[] {
  const all = faults.slice(0, 10);
  const samples = sampled.filter(({ runs }) => runs >= WARM_UP_RUNS);
  if (samples.length >= SAMPLES_MIN) {
    for (const figure of ["workerMib", "sandboxesMib"] as const) {
      const [early, late] = [inQuarter(samples, 1, figure), inQuarter(samples, 3, figure)];
      if (late - early > Math.max(GROWTH_MIB_MAX, early * GROWTH_SHARE_MAX))
        all.push(`${figure} grew from ${early.toFixed(0)} to ${late.toFixed(0)}`);
    }
    const [early, late] = [inQuarter(samples, 1, "descriptors"), inQuarter(samples, 3, "descriptors")];
    if (late - early > DESCRIPTORS_MAX_MORE) all.push(`descriptors grew from ${early} to ${late}`);
  }
  for (const [what, count] of Object.entries(left)) if (count > 0) all.push(`${count} ${what} are left`);
  return all;
}
