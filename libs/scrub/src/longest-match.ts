import type { RE2JS } from "@bulkhead/process/patterns";

/** The steps of a program of re2js that read no letter are below, those that read one are from here on; one ends a match. */
const READS_LETTER = 8;
const FORKS = new Set([1, 2]);
const ENDS = new Set([5, 6]);

interface Step {
  op: number;
  out: number;
  arg: number;
}

/** How many letters (code points) the longest match has; Infinity where a repetition has no end. */
export function longestMatch(compiled: RE2JS): number {
  const { inst, start } = compiled.re2().prog;
  const steps = inst as readonly Step[];
  const lettersFrom = new Map<number, number>();
  const visit = (at: number): number => {
    const known = lettersFrom.get(at);
    if (known !== undefined) return known;
    // Met again before it is known: a loop.
    lettersFrom.set(at, Infinity);
    const { op, out, arg } = steps[at]!;
    const letters = ENDS.has(op)
      ? 0
      : Math.max(visit(out), FORKS.has(op) ? visit(arg) : 0) + (op >= READS_LETTER ? 1 : 0);
    lettersFrom.set(at, letters);
    return letters;
  };
  return visit(start);
}
