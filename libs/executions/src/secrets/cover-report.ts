import type { Scrubber } from "@bulkhead/core";
import type { Report } from "../end/report.ts";

/** The depth to which causes and fields of a thrown value are told; deeper, nobody looks for what went wrong. */
const DEPTH_MAX = 4;

/** Reports an error as it is where nothing in it is secret, else its text with that covered. */
export const coverReport =
  (report: Report, scrubber: Pick<Scrubber, "text">): Report =>
  (what, error, about) => {
    const text = describe(error, 0);
    const covered = scrubber.text(text);
    report(what, covered === text ? error : covered, about);
  };

/** All texts in it, each as it is: how a log would quote them must not hide a secret. */
function describe(thrown: unknown, depth: number): string {
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  if (depth > DEPTH_MAX) return "…";
  const own = Object.entries(thrown).map(([name, value]) => `${name}: ${describe(value, depth + 1)}`);
  if (!(thrown instanceof Error)) return own.join("\n");
  const { stack, message, cause } = thrown;
  const from = cause === undefined ? [] : [`caused by ${describe(cause, depth + 1)}`];
  return [stack ?? message, ...(stack?.includes(message) ? [] : [message]), ...own, ...from].join("\n");
}
