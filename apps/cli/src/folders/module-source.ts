import type { TypeStripper } from "@bulkhead/core";
import type { Bundle } from "./bundle.ts";
import type { Describer } from "./describe-module.ts";
import { frameOf, type TellFault } from "./fault-list.ts";
import { findExport } from "./find-export.ts";
import type { Durations, FolderFault, ToolRecord } from "./loaded-folder.ts";
import type { CacheLook } from "./module-cache.ts";
import type { Choice } from "./pick-tools.ts";
import type { PackageReader } from "./read-lock.ts";

/** A module that holds tools: a file, or a package that a toolset names. */
export interface ModuleSource {
  /** As it is imported: an absolute path, or the name of a package. */
  specifier: string;
  /** The file that faults name, relative to the folder: the module's own, or the one that names the package. */
  file: string;
  /** Of that file; exports are looked for in it. */
  text: string;
  /** Absolute; where the specifier is looked up. */
  resolveDir: string;
  choice: Choice;
  /** What a manifest beside the module says; its tool is the module's one. */
  record?: ToolRecord;
}

export interface ModuleDeps {
  /** The folder that is loaded, and the one that files of its modules may lie in; real paths. */
  root: string;
  within: string;
  packages: PackageReader;
  stripper: Pick<TypeStripper, "strip">;
  describer: Pick<Describer, "warm" | "describe">;
  kept: CacheLook;
  /** Added to. */
  durations: Durations;
  tell: TellFault;
}

/** Of an export that the text declares. */
export function placeOfExport(
  text: string,
  name: string | null,
): Partial<Pick<FolderFault, "line" | "column" | "frame">> {
  const place = name === null ? null : findExport(text, name);
  return place ? { line: place.line, column: place.column, frame: frameOf(text, place.line) } : {};
}

/** The chain of imports from the module to what a tool can't have. */
export const builtInMessage = ({ name, chain }: Bundle["builtIns"][number]): string =>
  `needs ${name} of Node, which tools don't have (${chain.join(" → ")})`;
