import { matchArguments } from "@bulkhead/core/argument-pattern";
import { canonicalJson } from "@bulkhead/core/canonical-json";

/** As the server bounds it. */
const PATTERN_CHARS_MAX = 512;

/** Which calls are allowed from now on: all of the version's, or those of which one argument (`argument: null`: all) matches. */
export type Scope = { kind: "all" } | { kind: "match"; argument: string | null; pattern: string };

type Args = Record<string, unknown>;

/** A JSON pointer to each argument of the first level. */
export const pointersOf = (args: Args): string[] =>
  Object.keys(args).map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);

/**
 * The argument to begin with: the only one, else null, for all together. The call's author chose which one comes first, and
 * would leave the others free.
 */
export function firstPointer(args: Args): string | null {
  const [first, ...others] = pointersOf(args);
  return first === undefined || others.length > 0 ? null : first;
}

/** What an argument is as the text that a pattern is held against: that very value, to begin with. */
export function textAt(args: Args, pointer: string | null): string {
  if (pointer === null) return canonicalJson(args);
  const name = pointer.slice(1).replaceAll("~1", "/").replaceAll("~0", "~");
  const value = args[name];
  return typeof value === "string" ? value : canonicalJson(value);
}

/**
 * The pattern to begin with: that very text. Nothing where it holds a `*`, which no pattern can mean as itself: it would let more
 * through than the call, so a person writes what is meant.
 */
export function firstPattern(args: Args, pointer: string | null): string {
  const text = textAt(args, pointer);
  return text.includes("*") ? "" : text;
}

/** What is wrong with a scope for this call; null: nothing. */
export function faultOf(scope: Scope, args: Args): string | null {
  if (scope.kind === "all") return null;
  if (scope.pattern === "") return "Say what the text must be.";
  if (scope.pattern.length > PATTERN_CHARS_MAX)
    return `At most ${PATTERN_CHARS_MAX} characters; put * in the place of some.`;
  const met = matchArguments(scope, args as Parameters<typeof matchArguments>[1]);
  return met === "match" ? null : "This very call does not match.";
}

interface Tool {
  toolId: string | null;
  toolName: string;
  toolVersion: number;
  /** Unset where no call is meant. */
  arguments?: Args;
}

/** A command line that a tool of the platform's runs: it is remembered exactly as it stands. */
export const isCommand = ({ toolId, toolName, arguments: args }: Omit<Tool, "toolVersion">): boolean =>
  toolId === null && ["exec", "process"].includes(toolName) && typeof args?.["command"] === "string";

/** What is allowed from then on, in the exact words. */
export function scopeWords(called: Tool, scope: Scope): string {
  const { toolId, toolName, toolVersion, arguments: args = {} } = called;
  const tool = toolId === null ? toolName : `${toolName}, version ${toolVersion}`;
  if (isCommand(called)) {
    const { command, cwd } = args;
    return `the command ${String(command)}${typeof cwd === "string" ? `, in ${cwd}` : ""}, exactly`;
  }
  if (scope.kind === "all") return `every call of ${tool}, whatever its arguments`;
  const what =
    scope.argument === null ? "all arguments, as JSON with sorted names," : `the argument ${scope.argument}`;
  const verb = scope.argument === null ? "are" : "is";
  const how = scope.pattern.includes("*") ? `${verb} like` : `${verb} exactly`;
  return `calls of ${tool}, where ${what} ${how} ${scope.pattern}`;
}
