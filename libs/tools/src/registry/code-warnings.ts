import { isObject, type ToolDefinition } from "@bulkhead/core";
import type { InspectedCode } from "../code-check/check-code.ts";
import { PERMITTED_CALLS } from "../code-check/permitted-calls.ts";

/** Undeclared services that are named for one code; more would help nobody. */
const SERVICES_TOLD_MAX = 20;
/** Characters of a service's name in a warning; the code may say anything. */
const NAME_SHOWN_CHARS_MAX = 100;

/** Warns of names that the code uses and that won't exist, and of a result that it makes and doesn't return. */
export function codeWarnings(
  {
    permittedCalls,
    namedServices,
    undeclared: names,
    received,
    unreturned,
  }: Pick<InspectedCode, "permittedCalls" | "namedServices" | "undeclared" | "received" | "unreturned">,
  { permissions, services, parameters }: Pick<ToolDefinition, "permissions" | "services" | "parameters">,
): string[] {
  const undeclared = namedServices.filter((name) => !services.includes(name));
  return [
    ...permissionWarnings(permittedCalls.filter((call) => !permissions.includes(PERMITTED_CALLS[call]))),
    ...undeclared.slice(0, SERVICES_TOLD_MAX).map(serviceWarning),
    ...names.map(nameWarning),
    ...receivedWarnings(received, parameters),
    ...(unreturned === null ? [] : [unreturnedWarning(unreturned)]),
  ];
}

const permissionWarnings = (calls: InspectedCode["permittedCalls"]): string[] =>
  [...Map.groupBy(calls, (call) => PERMITTED_CALLS[call])].map(
    ([permission, lacking]) =>
      `The code names ${lacking.join(", ")}, but the tool lacks the permission "${permission}": there ${lacking.length === 1 ? "it is" : "they are"} undefined.`,
  );

const serviceWarning = (name: string): string =>
  `The code asks for the service "${name.slice(0, NAME_SHOWN_CHARS_MAX)}", which the tool does not declare; add it to requiredConfigServices.`;

/** Of a function that wants each argument by itself, which others call so; it is told by a name that one of them has. */
function receivedWarnings(
  received: InspectedCode["received"],
  { properties }: ToolDefinition["parameters"],
): string[] {
  const [first = "", ...others] = received ?? [];
  const isArgument = (name: string): boolean => isObject(properties) && Object.hasOwn(properties, name);
  if (first === "" || !others.some(isArgument)) return [];
  const names = [first, ...others.filter((name) => name !== "")].join(", ");
  return [
    `The function takes (${names}), but a tool's function is called with one object that holds all arguments, and then with the context: take them apart, as in ({ ${names} }).`,
  ];
}

const unreturnedWarning = ({ line, column }: { line: number; column: number }): string =>
  `The code returns nothing, and ends with a value that nobody takes (line ${line}, column ${column}): put return before it, or its result is null.`;

function nameWarning({ name, line, column, instead }: InspectedCode["undeclared"][number]): string {
  const advice = instead ?? "declare it with const or let, or check how it is spelled.";
  return `The code uses ${name} (line ${line}, column ${column}), which it does not declare and tools do not have: ${advice}`;
}
