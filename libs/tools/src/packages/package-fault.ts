import { Fault, type FaultCode, type FaultDetail } from "@bulkhead/core";

/** Faults told, of one tool or of all: more help nobody. */
export const ERRORS_MAX = 50;

/** `fetch-products/manifest.json: input.limit.type`; the file alone where no field of it is meant. */
export const placeOf = (folder: string, file: string, field = ""): string =>
  `${folder}/${file}${field === "" ? "" : `: ${field}`}`;

/** A fault of one tool; there is at least one error, with file and field in its path. */
export function packageFault(errors: readonly FaultDetail[], code: FaultCode = "request.invalid"): Fault {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return new Fault(code, {
    detail: `${first?.path} ${first?.message}.${more}`,
    errors: errors.slice(0, ERRORS_MAX),
  });
}
