import { rememberByText } from "@bulkhead/process";
import { inspectCode, type InspectedCode } from "../code-check/check-code.ts";

/** Codes that are remembered; the texts of what was found in them, in characters, are bounded by the second. About 4 MiB in all. */
const CODES_MAX = 10_000;
const FOUND_CHARS_MAX = 2_000_000;

/**
 * What is known of a code without running it, for nobody to change. Remembered by the code's hash, since every try of a
 * change, evidence, judgements and calls that pin a version ask for it again and a parse takes up to 121 ms; it depends on
 * the text alone, so what one caller of the process learnt is true for all.
 */
export const inspectedCode: (code: string) => Readonly<InspectedCode> = rememberByText(inspectCode, {
  entriesMax: CODES_MAX,
  weight: {
    max: FOUND_CHARS_MAX,
    of: ({ faults, calledTools, namedServices, undeclared, runs }) =>
      [
        ...(calledTools ?? []),
        ...namedServices,
        ...faults.map(({ message }) => message),
        ...undeclared.map(({ name }) => name),
        runs ?? "",
      ].join("").length,
  },
});
