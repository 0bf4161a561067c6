import { BUNDLED_APPROVAL, type BundledPackage, bundledLines } from "@bulkhead/tools/folders";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { join, relative, sep } from "node:path";
import type { Bundle, Entry } from "./bundle.ts";
import type { LoadedTool } from "./loaded-folder.ts";
import { namesFor } from "./package-names.ts";
import type { Picked } from "./pick-tools.ts";

/** The text that calls a tool of a module: it is bundled with all that the tool needs, and with nothing else of the module. */
export function entryOf({ described }: Picked, name: string, specifier: string): Entry {
  const { export: exported, member, kind } = described;
  const held = member === undefined ? "held" : `held[${JSON.stringify(member)}]`;
  const text = `import { ${JSON.stringify(exported)} as held } from ${JSON.stringify(specifier)};\n`;
  switch (kind) {
    case "execute":
      return { name, text: `${text}${CALL_EXECUTE.replace("TOOL", () => held)}` };
    case "run":
      return { name, text: `${text}export const run = (args, context) => ${held}.run(args, context);\n` };
    default:
      return { name, text: `${text}export const run = (args, context) => ${held}(args, context);\n` };
  }
}

/** The text that asks a tool whether a person has to allow a call, as the AI SDK asks it; bundled likewise. */
export function approvalEntryOf({ described }: Picked, name: string, specifier: string): Entry {
  const { export: exported, member } = described;
  const held = member === undefined ? "held" : `held[${JSON.stringify(member)}]`;
  const text = `import { ${JSON.stringify(exported)} as held } from ${JSON.stringify(specifier)};\n`;
  return { name, text: `${text}${CALL_APPROVAL.replace("TOOL", () => held)}` };
}

const CALL_APPROVAL = `export const needsApproval = (args, context) => {
  const toolCallId = context.callId ?? context.executionId;
  return TOOL.needsApproval(args, { toolCallId, messages: [], context, experimental_context: context });
};
`;

/**
 * As the AI SDK calls a tool, in the words of its versions 6 and 7; what it yields before the end is its progress, and the last
 * value its result. A call that is cancelled ends with its process, so that its signal never fires.
 */
const CALL_EXECUTE = `export const run = async (args, context) => {
  const toolCallId = context.callId ?? context.executionId;
  const abortSignal = new AbortController().signal;
  const given = await TOOL.execute(args, { toolCallId, messages: [], abortSignal, context, experimental_context: context });
  if (given === null || typeof given !== "object" || !(Symbol.asyncIterator in given)) return given;
  let last;
  for await (const value of given) emit((last = value));
  return last;
};
`;

/** Paths of a bundle's files: the folder that is loaded, and the one that the bundle was made in. */
export interface BundleFolders {
  root: string;
  resolveDir: string;
}

/** Where a place of a bundle was written; null for what the bundler added. */
export function placesOf(
  { map }: Pick<Bundle, "map">,
  { root, resolveDir }: BundleFolders,
): LoadedTool["placeOf"] {
  const trace = new TraceMap(map);
  return (line, column) => {
    const found = originalPositionFor(trace, { line, column: Math.max(0, column - 1) });
    if (found.source === null || ADDED.test(found.source)) return null;
    const file = relative(root, join(resolveDir, "out", found.source));
    return { file: file.split(sep).join("/"), line: found.line, column: found.column + 1 };
  };
}

const ADDED = /^(?:\.\.\/)*(?:entry|ai-sdk|node-built-in|empty):/;

/** The last line of a code, by the function of its bundle that it calls. */
const CALLS = { run: "return bulkhead.run(args, context);\n", needsApproval: BUNDLED_APPROVAL };

/**
 * The body of a function: the packages that are part of it, one a line, so that a changed one is seen in the difference of two
 * versions; the bundle; the call.
 */
export function codeOf(
  bundle: Bundle,
  packages: readonly BundledPackage[],
  called: keyof typeof CALLS = "run",
): { code: string; places: CodePlaces } {
  const head = [...bundledLines(packages), ...namesFor(bundle.code)];
  return {
    code: `${head.join("")}${bundle.code}${CALLS[called]}`,
    places: { map: bundle.map, headLines: head.length },
  };
}

/** From which the places of a code are found: the bundle's map, and the lines before the bundle. */
export interface CodePlaces {
  map: string;
  headLines: number;
}

/** Null: the code is the file's as it stands. A map is read when a place is asked for: most never are. */
export function placeFinder(
  made: CodePlaces | null,
  folders: BundleFolders,
  file: string,
): LoadedTool["placeOf"] {
  if (made === null) return (line, column) => ({ file, line, column });
  const { map, headLines } = made;
  let places: LoadedTool["placeOf"] | undefined;
  return (line, column) => {
    if (line <= headLines) return null;
    places ??= placesOf({ map }, folders);
    return places(line - headLines, column);
  };
}
