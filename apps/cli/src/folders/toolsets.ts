import { APPROVAL_DECISIONS, BUILT_IN_TOOL_NAMES, PERMISSIONS } from "@bulkhead/core";
import { realpath } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { isMap, isScalar, LineCounter, parseDocument, visit, type Document } from "yaml";
import { z } from "zod";
import { TOOLSETS_BYTES_MAX } from "./bounds.ts";
import { compare, frameOf } from "./fault-list.ts";
import type { FolderFaultCode } from "./loaded-folder.ts";
import type { ModuleDeps, ModuleSource } from "./module-source.ts";
import { readText, RefusedFile } from "./read-file.ts";

const Decision = z.enum(APPROVAL_DECISIONS);
const Approval = z.strictObject({
  default: Decision.default("ask"),
  tools: z.record(z.string(), Decision).default({}),
});
const common = {
  approval: Approval.default({ default: "ask", tools: {} }),
  permissions: z.array(z.enum(PERMISSIONS)).optional(),
  allowedHosts: z.array(z.string()).optional(),
};
const Names = z.array(z.string().min(1)).min(1);
const ModuleToolset = z.strictObject({
  module: z.string().min(1),
  /** The tools that are shown; no others are. */
  tools: Names,
  ...common,
});
const PackageToolset = z.strictObject({
  package: z.string().min(1),
  import: z.string().min(1),
  tools: Names.optional(),
  ...common,
});
const ByName = z.record(z.string(), z.unknown());
const Written = z.strictObject({
  /** The agent whose tools these are; left out: the tenant's. */
  name: z.string().min(1).optional(),
  toolsets: ByName.default({}),
  agents: z.record(z.string().min(1), z.strictObject({ toolsets: ByName })).default({}),
});

/** What keeps a text from being the name of a package: a path, or an address. */
const PACKAGE = /^(?:@[\w.-]+\/)?[\w][\w.-]*(?:\/[\w./-]+)?$/;
/** Aliases of a document that stand for more than they say. */
const ALIASES_MAX = 100;

/** What a `bulkhead.yaml` names. */
export interface Toolsets {
  /** The modules, each with the tools that it shows. */
  sources: ModuleSource[];
  /** Absolute paths of own modules, also of those that are not there. */
  files: string[];
}

/** A toolset that is at fault is told, and stops no other. Throws `RefusedFile` for the file itself. */
export async function readToolsets(
  { root, within, tell }: Pick<ModuleDeps, "root" | "within" | "tell">,
  file: string,
): Promise<Toolsets> {
  const text = await readText(join(root, file), TOOLSETS_BYTES_MAX);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: "core", uniqueKeys: false });
  const placeAt = (offset: number | undefined) => {
    if (offset === undefined) return {};
    const { line, col } = lines.linePos(offset);
    return { line, column: col, frame: frameOf(text, line) };
  };
  const fault = (code: FolderFaultCode, path: readonly PropertyKey[], message: string) =>
    tell({ code, file, message, ...placeAt(offsetOf(document, path)) });
  for (const { message, pos } of document.errors)
    tell({ code: "toolsets.invalid", file, message: message.split("\n")[0] ?? "", ...placeAt(pos[0]) });
  const found: Toolsets = { sources: [], files: [] };
  if (document.errors.length > 0) return found;
  for (const { why, at } of wrongKeys(document))
    tell({ code: "toolsets.invalid", file, message: why, ...placeAt(at) });
  const content = contentOf(document, fault);
  const written = content === null ? null : parsed(Written, content, [], fault);
  if (written === null) return found;
  const sets = [
    { at: ["toolsets"], agentId: written.name, toolsets: written.toolsets },
    ...Object.entries(written.agents).map(([agentId, { toolsets }]) => ({
      at: ["agents", agentId, "toolsets"],
      agentId,
      toolsets,
    })),
  ];
  const reading: Reading = { root, within, file, text, files: found.files, fault };
  for (const { at, agentId, toolsets } of sets) {
    for (const [name, value] of Object.entries(toolsets).toSorted(([one], [other]) => compare(one, other))) {
      const source = await readToolset(reading, [...at, name], value, agentId);
      if (source) found.sources.push(source);
    }
  }
  return found;
}

interface Reading {
  root: string;
  within: string;
  file: string;
  text: string;
  /** Added to. */
  files: string[];
  fault: (code: FolderFaultCode, path: readonly PropertyKey[], message: string) => void;
}

async function readToolset(
  { root, within, file, text, files, fault }: Reading,
  at: string[],
  value: unknown,
  agentId: string | undefined,
): Promise<ModuleSource | null> {
  const fields = typeof value === "object" && value !== null ? value : {};
  if (!("module" in fields) && !("package" in fields)) {
    fault(
      "toolset.not_there",
      at,
      `is no toolset here: name a module or a package. Built-in tools that are there: ${BUILT_IN_TOOL_NAMES.join(", ")}, which need no toolset`,
    );
    return null;
  }
  const resolveDir = join(root, dirname(file));
  const defaultsOf = ({
    permissions,
    allowedHosts,
  }: z.infer<typeof ModuleToolset> | z.infer<typeof PackageToolset>) =>
    Object.fromEntries(
      Object.entries({ agentId, permissions, allowedHosts }).filter(([, one]) => one !== undefined),
    );
  if ("module" in fields) {
    const toolset = parsed(ModuleToolset, value, at, fault);
    if (toolset === null) return null;
    const path = join(resolveDir, toolset.module);
    const shown = join(dirname(file), toolset.module).replaceAll("\\", "/");
    files.push(path);
    const { approval, tools: names } = toolset;
    const choice = { from: "named", names, approval, defaults: defaultsOf(toolset) } as const;
    try {
      const source = await readOwn(path, within);
      return { specifier: path, file: shown, text: source, resolveDir: dirname(path), choice };
    } catch (error) {
      if (!(error instanceof RefusedFile)) throw error;
      fault(error.code, [...at, "module"], `${toolset.module} ${error.message}`);
      return null;
    }
  }
  const toolset = parsed(PackageToolset, value, at, fault);
  if (toolset === null) return null;
  if (!PACKAGE.test(toolset.package)) {
    fault(
      "toolsets.invalid",
      [...at, "package"],
      "must be the name of an npm package, with a path in it at most",
    );
    return null;
  }
  const { approval, tools: names, import: exported } = toolset;
  const choice = {
    from: "export",
    export: exported,
    names,
    approval,
    defaults: defaultsOf(toolset),
  } as const;
  return { specifier: toolset.package, file, text, resolveDir, choice };
}

/** Throws `RefusedFile` for what lies outside by its real path, too. */
async function readOwn(path: string, within: string): Promise<string> {
  const real = await realpath(dirname(path)).catch(() => dirname(path));
  if (real === within || real.startsWith(`${within}${sep}`)) return readText(join(real, basename(path)));
  throw new RefusedFile("import.outside", "lies outside of the folder");
}

interface WrongKey {
  why: string;
  at: number | undefined;
}

/**
 * Keys that are there twice, of which the last would count, and one that no object has. The parser's own look compares each key
 * with each other one, which takes minutes where there are many.
 */
function wrongKeys(document: Document): WrongKey[] {
  const found: WrongKey[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const at = key.range?.[0];
        if (key.value === "__proto__") found.push({ why: "__proto__ is no key", at });
        if (seen.has(key.value))
          found.push({ why: `${String(key.value)} is there twice: keys are unique`, at });
        seen.add(key.value);
      }
    },
  });
  return found;
}

/** Plain values; null, which was told, where aliases would blow the document up. */
function contentOf(document: Document, fault: Reading["fault"]): unknown {
  try {
    return document.toJS({ maxAliasCount: ALIASES_MAX }) ?? {};
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    fault("toolsets.invalid", [], `can't be read: ${error.message}`);
    return null;
  }
}

function parsed<T extends z.ZodType>(
  shape: T,
  value: unknown,
  at: readonly PropertyKey[],
  fault: Reading["fault"],
): z.infer<T> | null {
  const { success, data, error } = shape.safeParse(value);
  if (success) return data;
  for (const issue of error.issues)
    fault(
      "toolsets.invalid",
      [...at, ...issue.path],
      `${[...at, ...issue.path].join(".")}: ${issue.message}`,
    );
  return null;
}

/** Where the document has the value of a path, or the innermost one around it. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number | undefined {
  let node: unknown = document.contents;
  let offset: number | undefined;
  for (const part of path) {
    if (!isMap(node)) break;
    const pair = node.items.find(({ key }) => isScalar(key) && key.value === part);
    if (!pair) break;
    offset = isScalar(pair.key) ? pair.key.range?.[0] : offset;
    node = pair.value;
  }
  return offset;
}
