import { readJson, type RunLimits, type SandboxVerdict, type Scrubber } from "@bulkhead/core";
import { failed, type Judged } from "../attempt/judge.ts";
import { coverText } from "./cover-text.ts";

/** A result that was covered while its process waited; null where nobody could. */
export interface LargeResult {
  covered: string | null;
}

/** The end with what is secret covered, within the run's bound; the same object where nothing was. */
export function coverEnd(
  scrubber: Pick<Scrubber, "text" | "json" | "lines">,
  { resultBytes }: Pick<RunLimits, "resultBytes">,
  verdict: SandboxVerdict,
  judged: Judged,
  large: LargeResult | null,
): Judged {
  const { error } = judged;
  if (error !== null) {
    const message = coverText(scrubber, error.message);
    return message === error.message ? judged : { ...judged, error: { ...error, message } };
  }
  if (verdict.outcome !== "returned") return judged;
  const covered = large ? large.covered : scrubber.json(verdict.json);
  if (covered === null) return NOT_COVERED;
  if (covered === verdict.json) return judged;
  if (Buffer.byteLength(covered) > resultBytes) return tooLarge(resultBytes);
  return { ...judged, result: readJson(covered) };
}

const NOT_COVERED = failed(
  "failed",
  "tool.output_invalid",
  "The result could not be searched for secrets in time. Call the tool again, or return less.",
);

const tooLarge = (resultBytes: number): Judged =>
  failed(
    "failed",
    "tool.result_too_large",
    `With its secrets covered the result has more than ${resultBytes} bytes (limits.resultBytes).`,
  );
