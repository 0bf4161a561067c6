import { getLineInfo } from "acorn";
import { CODE_BYTES_MAX, CODE_FAULTS_MAX } from "./bounds.ts";
import type { CodeFault, Offence } from "./code-fault.ts";
import { findOffences } from "./find-offences.ts";
import { BODY_START, parseBody } from "./parse-body.ts";

/**
 * The faults of `code` as the body of a strict async function: the one that keeps it from compiling, or else every
 * forbidden pattern in it, in the order of the text, up to CODE_FAULTS_MAX. Never throws, whatever the text. What
 * takes more than linear time is bounded in `bounds.ts`: the worst text measured takes 121 ms, warm (README).
 */
export function checkCode(code: string): CodeFault[] {
  if (Buffer.byteLength(code) > CODE_BYTES_MAX)
    return [atStart(`The code is larger than ${CODE_BYTES_MAX / 1024} KiB.`)];
  if (code.startsWith("#!")) return [atStart("A tool's code is a function body: leave the #! line out.")];
  const parsed = parseBody(code);
  const offences = "offence" in parsed ? [parsed.offence] : findOffences(parsed.program);
  return offences
    .toSorted((one, other) => one.at - other.at)
    .filter((offence, index, all) => !isSame(offence, all[index - 1]))
    .slice(0, CODE_FAULTS_MAX)
    .map((offence) => faultOf(offence, code));
}

/** A shorthand property is found twice: as a key and as a variable. */
const isSame = (one: Offence, other: Offence | undefined): boolean =>
  one.at === other?.at && one.rule === other.rule;

/** What lies past the end of the tool's text is shown at its end. */
function faultOf({ at, rule, message }: Offence, code: string): CodeFault {
  const offset = Math.min(Math.max(at - BODY_START, 0), code.length);
  const { line, column } = getLineInfo(code, offset);
  return { line, column: column + 1, rule, message };
}

const atStart = (message: string): CodeFault => ({ line: 1, column: 1, rule: "syntax", message });
