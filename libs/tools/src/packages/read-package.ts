import {
  CreateTool,
  readInput,
  EXAMPLE_CHARS_MAX,
  EXAMPLES_MAX,
  PACKAGE_NAME_CHARS_MAX,
  README_CHARS_MAX,
  ToolManifest,
} from "@bulkhead/contracts";
import type { Json, JsonObject, ToolLanguage } from "@bulkhead/core";
import type { z } from "zod";
import { EXAMPLE_NAME } from "./package-metadata.ts";
import { FolderReader, type ParseJson } from "./tool-folder.ts";

/** A tool as its folder has it, each file within its bounds; not yet looked into. */
export interface ToolPackage {
  manifest: ToolManifest;
  code: string;
  language: ToolLanguage;
  approvalCode: string | undefined;
  readme: string | undefined;
  examples: JsonObject | undefined;
}

/** The file that holds the code which decides on approvals. */
export const APPROVAL_FILE = "approval.js";
const KNOWN = ["manifest.json", "tool.js", "tool.ts", APPROVAL_FILE, "README.md", "examples"];

/** Nothing of it is evaluated. Throws `request.invalid` with the file, and the field, of each fault. */
export function readPackage(folder: string, files: unknown, parseJson: ParseJson): ToolPackage {
  const reader = new FolderReader(folder, parseJson);
  if (typeof files !== "object" || files === null || files instanceof Uint8Array || Array.isArray(files)) {
    reader.fault("manifest.json", "is missing: the folder must be an object with a value for each file");
    reader.settle();
  }
  const held = new Map(Object.entries(files as object));
  if (folder.length === 0 || folder.length > PACKAGE_NAME_CHARS_MAX) {
    reader.fault("", `must have a name of 1 to ${PACKAGE_NAME_CHARS_MAX} characters`);
  }
  for (const name of held.keys()) {
    if (!KNOWN.includes(name)) reader.fault(name.slice(0, PACKAGE_NAME_CHARS_MAX), "is no file of a tool");
  }
  const manifest = readManifest(reader, held);
  const { code, language } = readCode(reader, held, manifest);
  const approvalCode = held.has(APPROVAL_FILE)
    ? readText(reader, held, APPROVAL_FILE, CreateTool.shape.approvalCode)
    : undefined;
  const readme = readReadme(reader, held);
  const examples = readExamples(reader, held);
  reader.settle();
  return { manifest: manifest as ToolManifest, code, language, approvalCode, readme, examples };
}

function readManifest(reader: FolderReader, held: ReadonlyMap<string, unknown>) {
  const file = "manifest.json";
  if (!held.has(file)) {
    reader.fault(file, "is missing");
    return undefined;
  }
  const before = reader.faults.length;
  const manifest = reader.json(file, held.get(file));
  if (reader.faults.length > before) return undefined;
  const { value, faults } = readInput(ToolManifest, manifest);
  if (faults === null) return value;
  for (const { path, message } of faults) reader.fault(file, message, path);
  return undefined;
}

function readCode(
  reader: FolderReader,
  held: ReadonlyMap<string, unknown>,
  manifest: ToolManifest | undefined,
): { code: string; language: ToolLanguage } {
  const language = held.has("tool.ts") ? "typescript" : "javascript";
  const file = fileOfCode(language);
  const said = manifest?.language;
  if (held.has("tool.js") && held.has("tool.ts")) reader.fault("tool.ts", "can't be there beside tool.js");
  if (said !== undefined && said !== language) {
    reader.fault("manifest.json", `must be ${language}, as ${file} says`, "language");
  }
  if (!held.has(file)) {
    // A command stands in the manifest.
    if (manifest?.command === undefined) reader.fault(file, "is missing");
    return { code: "", language };
  }
  return { code: readText(reader, held, file, CreateTool.shape.code), language };
}

/** The file's text, which its field's rules must take. */
function readText(
  reader: FolderReader,
  held: ReadonlyMap<string, unknown>,
  file: string,
  rules: z.ZodType,
): string {
  const before = reader.faults.length;
  const text = reader.text(file, held.get(file));
  const { faults } = readInput(rules, text);
  if (faults !== null && reader.faults.length === before)
    for (const { message } of faults) reader.fault(file, message);
  return text;
}

/** The file that holds the code. */
export const fileOfCode = (language: ToolLanguage): "tool.js" | "tool.ts" =>
  language === "typescript" ? "tool.ts" : "tool.js";

function readReadme(reader: FolderReader, held: ReadonlyMap<string, unknown>): string | undefined {
  const file = "README.md";
  if (!held.has(file)) return undefined;
  const readme = reader.text(file, held.get(file));
  if (readme.length > README_CHARS_MAX) reader.fault(file, `must be ${README_CHARS_MAX} characters at most`);
  return readme;
}

function readExamples(reader: FolderReader, held: ReadonlyMap<string, unknown>): JsonObject | undefined {
  const folder = held.get("examples");
  if (folder === undefined) return undefined;
  if (
    typeof folder !== "object" ||
    folder === null ||
    Array.isArray(folder) ||
    folder instanceof Uint8Array
  ) {
    reader.fault("examples", "must be a folder");
    return undefined;
  }
  const entries = Object.entries(folder);
  if (entries.length > EXAMPLES_MAX) {
    reader.fault("examples", `must be ${EXAMPLES_MAX} files at most`);
    return undefined;
  }
  const read = entries.map(([name, content]) => [name, readExample(reader, name, content)] as const);
  return read.length > 0 ? Object.fromEntries(read) : undefined;
}

function readExample(reader: FolderReader, name: string, content: unknown): Json {
  const file = `examples/${name.slice(0, PACKAGE_NAME_CHARS_MAX)}`;
  if (!EXAMPLE_NAME.test(name)) {
    reader.fault(file, "must be called as letters, digits, dots, hyphens and _, with .json at the end");
    return null;
  }
  const json = reader.json(file, content);
  if (json !== undefined && JSON.stringify(json).length <= EXAMPLE_CHARS_MAX) return json as Json;
  if (json !== undefined) reader.fault(file, `must be ${EXAMPLE_CHARS_MAX} characters of JSON at most`);
  else if (content instanceof Uint8Array && content.length === 0) reader.fault(file, "must not be empty");
  return null;
}
