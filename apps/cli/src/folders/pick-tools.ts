import type { ApprovalDecision } from "@bulkhead/core";
import type { Described } from "./describe-module.ts";
import type { FolderFaultCode } from "./loaded-folder.ts";

/** Which exports of a module are tools, and what they have where they don't say it. */
export type Choice =
  /** Every tool that a module exports. */
  | ({ from: "all" } & ToolDefaults)
  /** Exports whose names end with `ToolDefinition`, which have an `id` and `run`. */
  | ({ from: "definitions" } & ToolDefaults)
  /** The exports of these names, and no others. */
  | ({ from: "named"; names: readonly string[] } & ToolDefaults)
  /** The tools in one export, of which `names` lists those that are wanted; undefined: all. */
  | ({ from: "export"; export: string; names: readonly string[] | undefined } & ToolDefaults)
  /** The function that a folder with a manifest runs. */
  | ({ from: "main" } & ToolDefaults);

interface ToolDefaults {
  /** The approval of tools that don't say any; undefined: the tenant's settings hold. */
  approval?: ApprovalRule | undefined;
  /** Fields of the record for tools that don't have them. */
  defaults?: Readonly<Record<string, unknown>> | undefined;
}

export interface ApprovalRule {
  default: ApprovalDecision;
  tools: Readonly<Record<string, ApprovalDecision>>;
}

/** A tool that was chosen, by the name that its module gives it. */
export interface Picked {
  name: string;
  described: Described;
}

export interface PickFault {
  severity?: "warning";
  code: FolderFaultCode;
  export: string | null;
  message: string;
}

/** The tools in the order of the exports' names, and why others are none. */
export function pickTools(
  exports: readonly Described[],
  choice: Choice,
): { picked: Picked[]; faults: PickFault[] } {
  switch (choice.from) {
    case "all":
      return settle(exports.map(judgeAny));
    case "definitions":
      return pickDefinitions(exports);
    case "named":
      return settle(choice.names.map((name) => judgeNamed(exports, name)));
    case "export":
      return pickFromExport(exports, choice.export, choice.names);
    default:
      return pickMain(exports);
  }
}

type Judged = Picked | PickFault | null;

function settle(judged: readonly Judged[]): { picked: Picked[]; faults: PickFault[] } {
  const found = judged.filter((one) => one !== null);
  return {
    picked: found.filter((one) => "described" in one),
    faults: found.filter((one) => "code" in one),
  };
}

/** A module may export more than tools; what is none is told, for it may have been meant as one. */
function judgeAny(described: Described): Judged {
  if (described.kind === "schema") return null;
  if (described.kind === "function" && !hasSchema(described)) return schemaMissing(described.export);
  if (described.kind === "other") return { severity: "warning", ...notATool(described) };
  return pick(described);
}

function judgeNamed(exports: readonly Described[], name: string): Judged {
  const described = exports.find((one) => one.export === name) ?? exports.find((one) => nameOf(one) === name);
  if (!described) return missing(name, exports);
  if (described.kind === "function" && !hasSchema(described)) return schemaMissing(name);
  if (described.kind === "other" || described.kind === "schema") return notATool(described);
  return pick(described);
}

function pickDefinitions(exports: readonly Described[]): ReturnType<typeof settle> {
  const named = exports.filter((one) => one.export.endsWith("ToolDefinition"));
  if (named.length === 0) {
    const names = exports.map((one) => one.export).join(", ") || "nothing";
    const message = `exports no {id}ToolDefinition with id and run (it exports ${names}); a function body needs a manifest.json beside it`;
    return settle([{ code: "export.missing", export: null, message }]);
  }
  return settle(
    named.map((described): Judged => {
      if (described.kind !== "run" && described.kind !== "execute") return notATool(described);
      if (described.id !== undefined) return { name: described.id, described };
      return {
        code: "export.not_a_tool",
        export: described.export,
        message: "has no id, which must be a text",
      };
    }),
  );
}

function pickFromExport(
  exports: readonly Described[],
  name: string,
  wanted: readonly string[] | undefined,
): ReturnType<typeof settle> {
  const held = exports.filter((one) => one.export === name);
  if (held.length === 0) return settle([missing(name, exports)]);
  if (wanted === undefined)
    return settle(held.map((one) => (one.kind === "schema" ? notATool(one) : judgeAny(one))));
  return settle(wanted.map((one) => judgeNamed(held, one)));
}

const MAIN_NAMES = ["default", "run", "execute", "main"];

function pickMain(exports: readonly Described[]): ReturnType<typeof settle> {
  const functions = exports.filter(({ kind }) => kind === "function");
  const named = MAIN_NAMES.flatMap((name) => functions.find((one) => one.export === name) ?? []);
  const main = named[0] ?? (functions.length === 1 ? functions[0] : undefined);
  if (main) return settle([pick(main)]);
  const message =
    "must export the function that runs, as its default: export default async (args, context) => …";
  return settle([{ code: "export.missing", export: null, message }]);
}

/** By its own name, its key in a record, or the name of its export. */
function nameOf({ settings, id, member, export: name }: Described): string {
  const own = settings?.["name"];
  if (typeof own === "string") return own;
  return id ?? (typeof member === "string" ? member : name);
}

const pick = (described: Described): Picked => ({ name: nameOf(described), described });

const hasSchema = ({ schema, schemaFault }: Described): boolean =>
  schema !== undefined || schemaFault !== undefined;

const missing = (name: string, exports: readonly Described[]): PickFault => ({
  code: "export.missing",
  export: name,
  message: `is not exported; exported are ${[...new Set(exports.map((one) => one.export))].join(", ") || "no names"}`,
});

const schemaMissing = (name: string): PickFault => ({
  code: "schema.missing",
  export: name,
  message: `has no schema: export ${name}Schema = z.object({ … }) beside the function`,
});

const notATool = ({ export: name, member, kind, type }: Described): PickFault => ({
  code: "export.not_a_tool",
  export: member === undefined ? name : `${name}[${JSON.stringify(member)}]`,
  message: `is neither a function nor a tool with execute or run (it is ${kind === "schema" ? "a schema" : `of type ${type ?? kind}`})`,
});
