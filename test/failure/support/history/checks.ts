import type { Check } from "./check.ts";
import { EFFECT_CHECKS } from "./effect-checks.ts";
import { END_CHECKS } from "./end-checks.ts";
import type { History } from "./history.ts";
import { STREAM_CHECKS } from "./stream-checks.ts";

/** All that a history must fulfil, whatever happened in it. */
export const CHECKS: readonly Check[] = [...END_CHECKS, ...EFFECT_CHECKS, ...STREAM_CHECKS];

/** How many breaches of one promise are told. */
const TOLD_MAX = 5;

/** Every breach in words, under the promise that it breaks. */
export const faultsOf = (history: History): string[] =>
  CHECKS.flatMap(({ name, faults }) => {
    const found = faults(history);
    const rest = found.length > TOLD_MAX ? [`${name}: and ${found.length - TOLD_MAX} more`] : [];
    return [...found.slice(0, TOLD_MAX).map((fault) => `${name}: ${fault}`), ...rest];
  });
