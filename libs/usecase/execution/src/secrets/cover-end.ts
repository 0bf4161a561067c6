import type { Json, RunLimits, SandboxVerdict, Scrubber } from "@bulkhead/domain";
import { failed, type Judged } from "../judge.ts";
import { coverText } from "./cover-text.ts";

/** The end with what is secret covered, within the run's bound; the same object where nothing was. */
export function coverEnd(
  scrubber: Pick<Scrubber, "text" | "json" | "lines">,
  { resultBytes }: Pick<RunLimits, "resultBytes">,
  verdict: SandboxVerdict,
  judged: Judged,
): Judged {
  const { error } = judged;
  if (error !== null) {
    const message = coverText(scrubber, error.message);
    return message === error.message ? judged : { ...judged, error: { ...error, message } };
  }
  if (verdict.outcome !== "returned") return judged;
  const covered = scrubber.json(verdict.json);
  if (covered === verdict.json) return judged;
  if (Buffer.byteLength(covered) > resultBytes) return tooLarge(resultBytes);
  return { ...judged, result: JSON.parse(covered) as Json };
}

const tooLarge = (resultBytes: number): Judged =>
  failed(
    "failed",
    "tool.result_too_large",
    `With its secrets covered the result has more than ${resultBytes} bytes (limits.resultBytes).`,
  );
