import { Fault, type FaultDetail } from "@bulkhead/core";
import { CODE_BYTES_MAX, readPackage, requestOf } from "@bulkhead/tools/folders";
import { performance } from "node:perf_hooks";
import type { Bundle } from "./bundle.ts";
import type { ToolBundles } from "./bundle-tools.ts";
import { checkApproval, checkToolCode } from "./check-tool-code.ts";
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

/** The tool of its bundles; null where it can be none, which was told. `sharedMs` is its part of the module's time. */
export async function buildTool(
  deps: ModuleDeps,
  source: ModuleSource,
  { name, described }: Picked,
  { tool: bundle, approval }: ToolBundles,
  sharedMs: number,
): Promise<MadeTool | null> {
  const started = performance.now();
  const exported = nameOfExport(described);
  const place = placeOfExport(source.text, described.export);
  const fault = (code: FolderFaultCode, message: string, severity: "error" | "warning" = "error"): null => {
    deps.tell({ severity, code, file: source.file, export: exported, message, ...place });
    return null;
  };
  const [builtIn] = [...bundle.builtIns, ...(approval?.builtIns ?? [])];
  if (builtIn) return fault("import.built_in", builtInMessage(builtIn));
  const packagesOf = (one: Bundle) => deps.packages.packagesOf([...one.files.keys()]);
  const packages = await packagesOf(bundle);
  const { code, places } = codeOf(bundle, packages);
  const approvalMade = approval && codeOf(approval, await packagesOf(approval), "needsApproval");
  const tooLarge = largeMessage(code, bundle) ?? (approvalMade && largeMessage(approvalMade.code, approval));
  if (tooLarge !== null) return fault("code.too_large", tooLarge);
  const folders = { root: deps.root, resolveDir: source.resolveDir };
  const placeOf = placeFinder(places, folders, source.file);
  const written = source.record ? withCode(source.record, code) : null;
  const approvalCode = approvalMade?.code;
  const record = written ?? makeRecord({ name, described, source, code, approvalCode, fault });
  if (record === null) return null;
  const from = { file: source.file, export: exported };
  const wrong = await checkToolCode(deps.stripper, { ...record, code }, from, placeOf, source.text);
  if (approvalMade) {
    const inApproval = placeFinder(approvalMade.places, folders, source.file);
    wrong.push(...checkApproval(approvalMade.code, from, inApproval, source.text));
  }
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

/** With the parts that take the most, to know what to do without; null where it is not too large. */
function largeMessage(code: string, { files }: Bundle): string | null {
  const bytes = Buffer.byteLength(code);
  if (bytes <= CODE_BYTES_MAX) return null;
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
  approvalCode: string | undefined;
  fault: (code: FolderFaultCode, message: string, severity?: "warning") => null;
}

/** The record by the rules of an import: what a module says is checked as a manifest is. */
function makeRecord({ name, described, source, code, approvalCode, fault }: Making): ToolRecord | null {
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
  if (approval === null)
    return fault("approval.invalid", "has a needsApproval that is neither true, false nor a function");
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
    const files = {
      "manifest.json": manifest,
      "tool.js": code,
      ...(approvalCode === undefined ? {} : { "approval.js": approvalCode }),
    };
    const pack = readPackage(name, files, JSON.parse);
    return recordOf(requestOf(name, pack));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    for (const detail of error.errors) fault(codeOfFault(detail), messageOf(detail, name));
    return null;
  }
}

/** As the tool says itself, else as the toolset does; undefined: its function or the tenant's settings hold. Null: no answer. */
function approvalOf(
  { needsApproval, export: exported, member }: Described,
  rule: ApprovalRule | undefined,
  name: string,
) {
  if (needsApproval === "function") return undefined;
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
