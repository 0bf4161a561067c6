import { Fault, type FaultDetail } from "@bulkhead/core";
import { CODE_BYTES_MAX, readPackage, requestOf } from "@bulkhead/tools/folders";
import { performance } from "node:perf_hooks";
import type { Bundle } from "./bundle.ts";
import { checkToolCode } from "./check-tool-code.ts";
import type { Described } from "./describe-module.ts";
import { findExport } from "./find-export.ts";
import { builtInMessage, type ModuleDeps, type ModuleSource, placeOfExport } from "./module-source.ts";
import type { FolderFaultCode, LoadedTool, ToolRecord } from "./loaded-folder.ts";
import type { ApprovalRule, Picked } from "./pick-tools.ts";
import { packageFolder } from "./read-lock.ts";
import { codeOf, type CodePlaces, placeFinder } from "./tool-code.ts";
import { recordOf } from "./tool-record.ts";

/** A tool with what its places can be found from later. */
export interface MadeTool extends LoadedTool {
  places: CodePlaces | null;
}

/** The tool of a bundle; null where it can be none, which was told. `sharedMs` is its part of the module's time. */
export async function buildTool(
  deps: ModuleDeps,
  source: ModuleSource,
  { name, described }: Picked,
  bundle: Bundle,
  sharedMs: number,
): Promise<MadeTool | null> {
  const started = performance.now();
  const exported = nameOfExport(described);
  const place = placeOfExport(source.text, described.export);
  const fault = (code: FolderFaultCode, message: string, severity: "error" | "warning" = "error"): null => {
    deps.tell({ severity, code, file: source.file, export: exported, message, ...place });
    return null;
  };
  const [builtIn] = bundle.builtIns;
  if (builtIn) return fault("import.built_in", builtInMessage(builtIn));
  const packages = await deps.packages.packagesOf([...bundle.files.keys()]);
  const { code, places } = codeOf(bundle, packages);
  const folders = { root: deps.root, resolveDir: source.resolveDir };
  const placeOf = placeFinder(places, folders, source.file);
  const bytes = Buffer.byteLength(code);
  if (bytes > CODE_BYTES_MAX) return fault("code.too_large", tooLarge(bytes, bundle));
  const written = source.record ? withCode(source.record, code) : null;
  const record = written ?? makeRecord({ name, described, source, code, fault });
  if (record === null) return null;
  const from = { file: source.file, export: exported };
  const wrong = await checkToolCode(deps.stripper, record, from, placeOf, source.text);
  for (const one of wrong) deps.tell(one);
  if (wrong.length > 0) return null;
  return { record, from, packages, durationMs: sharedMs + performance.now() - started, placeOf, places };
}

const nameOfExport = ({ export: name, member }: Described): string =>
  member === undefined ? name : `${name}[${JSON.stringify(member)}]`;

/** What runs is the bundle, in which no types are left. */
function withCode(record: ToolRecord, code: string): ToolRecord {
  return { ...record, code, language: "javascript" };
}

/** With the parts that take the most, to know what to do without. */
function tooLarge(bytes: number, { files }: Bundle): string {
  const parts = new Map<string, number>();
  for (const [file, size] of files) {
    const part = packageFolder(file)?.replace(/^.*node_modules./, "") ?? "own files";
    parts.set(part, (parts.get(part) ?? 0) + size);
  }
  const largest = [...parts].toSorted((one, other) => other[1] - one[1]).slice(0, 3);
  const told = largest.map(([part, size]) => `${part} ${kib(size)} KiB`).join(", ");
  return `has ${kib(bytes)} KiB of code with all that it imports, and ${kib(CODE_BYTES_MAX)} KiB are the most (${told})`;
}

const kib = (bytes: number): number => Math.ceil(bytes / 1024);

interface Making {
  name: string;
  described: Described;
  source: ModuleSource;
  code: string;
  fault: (code: FolderFaultCode, message: string, severity?: "warning") => null;
}

/** The record by the rules of an import: what a module says is checked as a manifest is. */
function makeRecord({ name, described, source, code, fault }: Making): ToolRecord | null {
  const { schema, schemaFault, outputSchema, lost = [], settings = {} } = described;
  if (name === "default")
    return fault("name.invalid", "has no name: export it by one, or give it the field name");
  if (schemaFault !== undefined)
    return fault("schema.invalid", `has a schema that can't be told: ${schemaFault}`);
  if (lost.includes("transform"))
    return fault(
      "schema.invalid",
      "has a schema that changes values (transform, preprocess, pipe): what a call gives comes as it is, so change it in the function",
    );
  if (lost.includes("refine"))
    fault(
      "schema.unchecked",
      "has a schema with code of its own (refine, trim): it does not run before a call",
      "warning",
    );
  if (described.unused !== undefined)
    fault("tool.unused_field", `has ${described.unused.join(", ")}, which no call here uses`, "warning");
  const approval = approvalOf(described, source.choice.approval, name);
  if (approval === FUNCTION)
    return fault(
      "approval.function",
      "has a needsApproval that is a function, which is not asked before a call: say true or false, or leave it out and name the tool's approval in bulkhead.yaml",
    );
  if (approval === null)
    return fault("approval.function", "has a needsApproval that is neither true nor false");
  const description = settings["description"] ?? findExport(source.text, described.export)?.description;
  const manifest = {
    ...source.choice.defaults,
    ...settings,
    ...(hasDefaults(schema) && settings["applyDefaults"] === undefined ? { applyDefaults: true } : {}),
    name,
    description: description ?? `Custom tool: ${name}`,
    parameters: schema ?? { type: "object" },
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(approval === undefined ? {} : { approval }),
  };
  try {
    const pack = readPackage(name, { "manifest.json": manifest, "tool.js": code }, JSON.parse);
    return recordOf(requestOf(name, pack));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    for (const detail of error.errors) fault(codeOfFault(detail), messageOf(detail, name));
    return null;
  }
}

const FUNCTION = Symbol("a function decides");

/** As the tool says itself, else as the toolset does; undefined: the tenant's settings hold. Null for what is no answer. */
function approvalOf(
  { needsApproval, export: exported, member }: Described,
  rule: ApprovalRule | undefined,
  name: string,
) {
  if (needsApproval === "function") return FUNCTION;
  if (typeof needsApproval === "boolean") return needsApproval ? "ask" : "preApproved";
  if (needsApproval !== undefined) return null;
  if (rule === undefined) return undefined;
  // A tool may be called as every object has a property.
  const named = [name, String(member ?? exported)].find((one) => Object.hasOwn(rule.tools, one));
  return named === undefined ? rule.default : rule.tools[named];
}

/** What is filled in before a developer's function runs is filled in here too. */
const hasDefaults = (schema: unknown): boolean => (JSON.stringify(schema) ?? "").includes('"default":');

const codeOfFault = ({ path }: FaultDetail): FolderFaultCode =>
  /manifest\.json: (?:name|alias)$/.test(path) ? "name.invalid" : "manifest.invalid";

function messageOf({ path, message }: FaultDetail, name: string): string {
  const field = path.slice(`${name}/manifest.json: `.length);
  return field === "" ? message : `${field} ${message}`;
}
