import { rememberByText } from "@bulkhead/process";
import { inspectCode, type InspectedCode } from "../code-check/check-code.ts";

/** Codes that are remembered; the second bounds the texts of their facts, in characters. About 4 MiB in all. */
const CODES_MAX = 10_000;
const FOUND_CHARS_MAX = 2_000_000;

/**
 * The facts about a code that need no run; read-only. They are cached by the code's hash, since every dry run of a change,
 * evidence, judgements and calls that pin a version ask for them again, and a parse takes up to 121 ms. They depend on the
 * text alone, so they hold for every caller of the process.
 */
export const inspectedCode: (code: string) => Readonly<InspectedCode> = rememberByText(inspectCode, {
  entriesMax: CODES_MAX,
  weight: {
    max: FOUND_CHARS_MAX,
    of: ({ faults, calledTools, namedServices, undeclared, received, runs }) =>
      [
        ...(calledTools ?? []),
        ...namedServices,
        ...faults.map(({ message }) => message),
        ...undeclared.map(({ name }) => name),
        ...(received ?? []),
        runs ?? "",
      ].join("").length,
  },
});
