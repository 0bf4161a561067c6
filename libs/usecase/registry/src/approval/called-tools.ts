import { rememberByText } from "@bulkhead/cache";
import { inspectCode } from "@bulkhead/tool-code";

/** Codes whose calls are remembered; the names in them, in characters, are bounded by the second. About 4 MiB in all. */
const CODES_MAX = 10_000;
const NAMES_CHARS_MAX = 2_000_000;

/**
 * The tools that a code calls, null where it may call any. Remembered by the code's hash, since evidence, judgements and
 * calls that pin a version ask for it again and again and a parse takes up to 121 ms; it depends on the text alone, so what
 * one caller of the process learnt is true for all.
 */
export const calledToolsIn = (code: string): readonly string[] | null => remembered(code).names;

const remembered = rememberByText((code) => ({ names: inspectCode(code).calledTools }), {
  entriesMax: CODES_MAX,
  weight: { max: NAMES_CHARS_MAX, of: ({ names }) => names?.join("").length ?? 0 },
});
