import { getLineInfo } from "acorn";
import { CALL_START } from "./call-edits.ts";
import { CODE_BYTES_MAX, CODE_FAULTS_MAX } from "./bounds.ts";
import type { CodeFault, Offence } from "./code-fault.ts";
import { inspectTree } from "./inspect-tree.ts";
import { callOfNameless } from "./nameless-function.ts";
import type { PermittedCall } from "./permitted-calls.ts";
import { BODY_START, parseBody, TOO_DEEP } from "./parse-body.ts";
import { receivedNames } from "./received-names.ts";
import { wholeFunction } from "./whole-function.ts";

/** The findings of the static check of a tool's code. */
export interface InspectedCode {
  /**
   * The one that keeps the code from compiling as the body of a strict async function, or else every forbidden pattern in
   * it, in the order of the text, up to CODE_FAULTS_MAX.
   */
  faults: CodeFault[];
  /** What it names that only a permission gives; none where it has a fault of syntax. */
  permittedCalls: PermittedCall[];
  /** The tools that it calls by plain names, sorted and each once; null where it may call any. None likewise. */
  calledTools: string[] | null;
  /** The services whose values it asks for by plain names, sorted and each once. None likewise. */
  namedServices: string[];
  /** The variables that it uses and that neither it nor any tool has, each once; the first ones. None likewise. */
  undeclared: Undeclared[];
  /** What the function that is called with the arguments calls what it is given (`receivedNames`); null where none is. */
  received: string[] | null;
  /** The text that runs where the code is a whole function, in which the faults then have their places; null for any other. */
  runs: string | null;
  /** Why nothing of it would run: it only declares functions, of which none is the one to call; null for any other. */
  uncalled: CodeFault | null;
  /** The place of the expression at its end whose value is lost, since nothing returns it; null where there is none. */
  unreturned: { line: number; column: number } | null;
}

/** A variable that nothing declares, and its first place. */
interface Undeclared {
  name: string;
  line: number;
  column: number;
  /** It names a replacement, where one is known. */
  instead: string | null;
}

/**
 * Parses the code once. Never throws, whatever the text. What takes more than linear time is bounded in `bounds.ts`: the
 * worst text measured takes 121 ms, warm (README).
 */
export function inspectCode(code: string): InspectedCode {
  if (Buffer.byteLength(code) > CODE_BYTES_MAX)
    return refused(`The code is larger than ${CODE_BYTES_MAX / 1024} KiB.`);
  if (code.startsWith("#!")) return refused("A tool's code is a function body: leave the #! line out.");
  const parsed = parseBody(code);
  if ("offence" in parsed)
    return { faults: faultsOf([parsed.offence], code), ...NOTHING_NAMED, runs: callOfNameless(code) };
  const { offences, undeclared, ...named } = inspectTree(parsed.program);
  const whole = isTooDeep(offences) ? null : wholeFunction(parsed.program, code);
  return {
    faults: faultsOf(offences, code),
    ...named,
    undeclared: undeclared.map(({ name, at, instead }) => ({ name, ...placeOf(at, code), instead })),
    received: isTooDeep(offences) ? null : receivedNames(parsed.program),
    runs: whole && "runs" in whole ? whole.runs : null,
    uncalled: whole && "uncalled" in whole ? faultOf(whole.uncalled, code) : null,
    unreturned: whole && "unreturned" in whole ? placeOf(whole.unreturned, code) : null,
  };
}

const isTooDeep = (offences: readonly Offence[]): boolean =>
  offences.some(({ message }) => message === TOO_DEEP);

const NOTHING_NAMED: Omit<InspectedCode, "faults"> = {
  permittedCalls: [],
  calledTools: [],
  namedServices: [],
  undeclared: [],
  received: null,
  runs: null,
  uncalled: null,
  unreturned: null,
};

/** The faults that `inspectCode` finds. */
export const checkCode = (code: string): CodeFault[] => inspectCode(code).faults;

function faultsOf(offences: Offence[], code: string): CodeFault[] {
  return offences
    .toSorted((one, other) => one.at - other.at)
    .filter((offence, index, all) => !isSame(offence, all[index - 1]))
    .slice(0, CODE_FAULTS_MAX)
    .map((offence) => faultOf(offence, code));
}

/** A shorthand property is found twice: as a key and as a variable. */
const isSame = (one: Offence, other: Offence | undefined): boolean =>
  one.at === other?.at && one.rule === other.rule;

const faultOf = ({ at, rule, message }: Offence, code: string): CodeFault => ({
  ...placeOf(at, code),
  rule,
  message,
});

/** An offset past the end of the tool's text is shown at its end; text that was put before it is not counted. */
function placeOf(at: number, code: string): { line: number; column: number } {
  const offset = Math.min(Math.max(at - BODY_START, 0), code.length);
  const { line, column } = getLineInfo(code, offset);
  const before = line === 1 && code.startsWith(CALL_START) ? CALL_START.length : 0;
  return { line, column: Math.max(column - before, 0) + 1 };
}

const refused = (message: string): InspectedCode => ({
  faults: [{ line: 1, column: 1, rule: "syntax", message }],
  ...NOTHING_NAMED,
});
