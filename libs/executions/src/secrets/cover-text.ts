import type { Scrubber } from "@bulkhead/core";
import { CUT_MARK } from "@bulkhead/sandbox/wire";

/** A text of a run with what is secret covered, the start of a secret just before a cut too. */
export function coverText(scrubber: Pick<Scrubber, "text" | "lines">, text: string): string {
  // Behind the mark there is no more than an error's place: an earlier one is the tool's own text.
  const at = text.lastIndexOf(CUT_MARK);
  if (at < 0) return scrubber.text(text);
  const lines = scrubber.lines();
  const start = [...lines.push(text.slice(0, at)), ...lines.settle(), ...lines.end()];
  return start.map((line) => line.text).join("") + scrubber.text(text.slice(at));
}
