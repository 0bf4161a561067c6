import { pathOf } from "@bulkhead/contracts";
import { BATCH_SIZE_MAX, eachInexact, INEXACT_ADVICE, type InexactPlace, Fault } from "@bulkhead/core";

/** Calls of a batch, by their place in it, and what is wrong with their numbers. */
export type InexactCalls = ReadonlyMap<number, Fault>;

export const NO_CALLS: InexactCalls = new Map();

/**
 * A value is a call's arguments, a schema (its bounds and examples may be rounded), a part that is kept as it is whatever its
 * names say, or any other field.
 */
type Zone = "arguments" | "schema" | "kept" | "field";

const ZONES: ReadonlyMap<string, Zone> = new Map([
  ["arguments", "arguments"],
  ["testArguments", "arguments"],
  ["parameters", "schema"],
  ["outputSchema", "schema"],
  ["configSchema", "schema"],
  ["metadata", "kept"],
  ["context", "kept"],
]);

/** Faults that one request tells. */
const FAULTS_MAX = 20;

/**
 * The calls of a batch with numbers that JavaScript doesn't keep in their arguments. Throws for such a number anywhere else but in a
 * schema. `text` is a body that was parsed, and nests within its bound.
 */
export function inexactNumbersIn(text: string): InexactCalls {
  const calls = new Map<number, Fault>();
  const found: { path: string; zone: Zone }[] = [];
  eachInexact<Zone>(
    text,
    "field",
    (zone, name) => (zone === "field" ? (ZONES.get(name) ?? zone) : zone),
    (place) => {
      if (place.zone === "schema") return true;
      const call = callOf(place);
      if (call === null) found.push({ path: pathOf(place.path()), zone: place.zone });
      else if (!calls.has(call) && call < BATCH_SIZE_MAX) calls.set(call, faultOf([place.path().slice(2)]));
      return found.length < FAULTS_MAX;
    },
  );
  const [first] = found;
  if (first)
    throw fault(
      first.zone,
      found.map(({ path }) => path),
    );
  return calls;
}

/** `executions.3.arguments` are the arguments of call 3. */
function callOf(place: InexactPlace<Zone>): number | null {
  if (place.zone !== "arguments") return null;
  return place.nameAt(0) === "executions" ? place.indexAt(1) : null;
}

const faultOf = (paths: readonly string[][]): Fault => fault("arguments", paths.map(pathOf));

function fault(zone: Zone, paths: readonly string[]): Fault {
  const errors = paths.map((path) => ({ path, message: INEXACT_ADVICE }));
  const code = zone === "arguments" ? "execution.arguments_inexact" : "request.invalid";
  return new Fault(code, { detail: `${paths[0]} ${INEXACT_ADVICE}.`, errors });
}
