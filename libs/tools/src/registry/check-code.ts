import { Fault } from "@bulkhead/core";
import type { InspectedCode } from "../code-check/check-code.ts";
import { inspectedCode } from "./inspected-code.ts";

/** A fault of code, in the text as it was written. */
interface PlacedFault {
  line: number;
  column: number;
  rule: string;
  message: string;
}

/** Answers the names in the code. Throws `tool.code_invalid` with the line, column and rule of each fault. */
export function checkCode(code: string): Omit<InspectedCode, "faults"> {
  const { faults, ...named } = inspectedCode(code);
  if (faults.length > 0) throw invalidCode(faults);
  return named;
}

/** There is at least one fault; `path` is the field that holds the code. */
export function invalidCode(faults: readonly PlacedFault[], path = "code"): Fault {
  const errors = faults.map(({ line, column, rule, message }) => ({
    path,
    message: `line ${line}, column ${column}: ${message} (${rule})`,
    line,
    column,
    rule,
  }));
  const [first] = errors;
  return new Fault("tool.code_invalid", {
    detail: `The ${path} ${WHAT.get(first?.rule ?? "") ?? "holds a forbidden pattern"}: ${first?.message}`,
    errors,
  });
}

// A map, since some rules are named like properties of every object (`constructor`, `__proto__`).
const WHAT: ReadonlyMap<string, string> = new Map([
  ["syntax", "does not compile"],
  ["uncalled", "runs nothing"],
  ["unreturned", "answers nothing"],
  ["typescript", "holds TypeScript that types alone don't make"],
]);
