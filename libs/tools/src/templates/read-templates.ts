import { CreateTool, ToolExample } from "@bulkhead/contracts";
import { servicesOf, type Permission } from "@bulkhead/core";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fileOfCode } from "../packages/read-package.ts";

/** A tool to begin with, as its folder has it. */
export interface ToolTemplate {
  /** The tool's own name, too. */
  name: string;
  title: string;
  description: string;
  tags: string[];
  permissions: Permission[];
  /** Names of the services whose keys a person has to fill in. */
  services: string[];
  /** Its code imports packages: no server takes it before it was bundled. */
  needsBundling: boolean;
  /** The body of a creation; null where the code has to be bundled first. */
  tool: Record<string, unknown> | null;
  /** The text of each file by its path. */
  files: Record<string, string>;
  examples: { name: string; example: ToolExample }[];
}

const FOLDER = fileURLToPath(new URL("../../templates/", import.meta.url));

/** Reads the templates that come with the product, by name. Throws where one of them is no tool. */
export function readTemplates(): readonly ToolTemplate[] {
  return readdirSync(FOLDER).toSorted().map(readTemplate);
}

function readTemplate(name: string): ToolTemplate {
  const files = readFiles(join(FOLDER, name));
  const fileNamed = (path: string): string => {
    const text = files[path];
    if (text === undefined) throw new Error(`the template ${name} has no ${path}`);
    return text;
  };
  const manifest = JSON.parse(fileNamed("manifest.json")) as Record<string, unknown>;
  const language = files["tool.ts"] === undefined ? "javascript" : "typescript";
  const tool = { ...manifest, ...(language === "typescript" ? { language } : {}) };
  const record = { ...tool, code: fileNamed(fileOfCode(language)) };
  const { title, description, permissions, metadata, ...rest } = CreateTool.parse(record);
  if (title === undefined || rest.name !== name) throw new Error(`the template ${name} is called otherwise`);
  const needsBundling = files["package.json"] !== undefined;
  return {
    name,
    title,
    description,
    tags: metadata?.["tags"] as string[],
    permissions,
    services: servicesOf(rest),
    needsBundling,
    tool: needsBundling ? null : record,
    files,
    examples: Object.keys(files)
      .filter((path) => path.startsWith("examples/"))
      .map((path) => ({
        name: path.slice("examples/".length, -".json".length),
        example: ToolExample.parse(JSON.parse(fileNamed(path))),
      })),
  };
}

/** Two levels are all that a tool's folder has. */
const readFiles = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .toSorted()
      .map((path) => [path.slice(folder.length + 1).replaceAll("\\", "/"), readFileSync(path, "utf8")]),
  );
