import type { CreateTool } from "@bulkhead/contracts";
import type { BundledPackage } from "@bulkhead/tools/folders";
import type { z } from "zod";
import type { DependsOn } from "./depends-on.ts";

/** The body of a creation or a PUT by name: `POST` and `PUT /api/v1/custom-tools`. */
export type ToolRecord = z.input<typeof CreateTool>;

/** A place in one of the developer's files; the file is relative to the folder, lines and columns count from 1. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

export interface LoadedTool {
  record: ToolRecord;
  /** The file that it comes from, relative to the folder, and the export; null: the whole file is its code. */
  from: { file: string; export: string | null };
  packages: BundledPackage[];
  /** Milliseconds; the bundling of a module counts for its tools in equal parts. */
  durationMs: number;
  /** Where a place of `record.code` was written; null for what was added around it. */
  placeOf: (line: number, column: number) => Place | null;
}

/** What a folder may be at fault with; codes are never reused. */
export type FolderFaultCode =
  | "cache.unusable"
  | "folder.too_large"
  | "file.link"
  | "file.kind"
  | "file.too_large"
  | "file.unreadable"
  | "manifest.invalid"
  | "toolsets.invalid"
  | "toolset.not_there"
  | "import.failed"
  | "import.outside"
  | "import.built_in"
  | "module.threw"
  | "module.timeout"
  | "export.missing"
  | "export.not_a_tool"
  | "tool.unused_field"
  | "schema.missing"
  | "schema.invalid"
  | "schema.unchecked"
  | "approval.invalid"
  | "code.invalid"
  | "code.too_large"
  | "name.invalid"
  | "name.taken";

/** The lines around a place; `from` is the number of the first. */
export interface CodeFrame {
  from: number;
  lines: string[];
}

export interface FolderFault {
  /** `error`: a tool, or all of the file's, is left out; `warning`: it is loaded. */
  severity: "error" | "warning";
  code: FolderFaultCode;
  /** Relative to the folder; "" where the folder itself is meant. */
  file: string;
  export: string | null;
  line: number | null;
  column: number | null;
  message: string;
  frame: CodeFrame | null;
  /** Of an error that the module threw. */
  stack: string | null;
}

/** Milliseconds; modules are bundled and described side by side, so that the parts may be more than the whole. */
export interface Durations {
  readMs: number;
  bundleMs: number;
  describeMs: number;
  totalMs: number;
}

export interface LoadedFolder {
  /** In the order of their files and exports. */
  tools: LoadedTool[];
  faults: FolderFault[];
  durations: Durations;
  /**
   * The files that any tool depends on, those of packages left out, and the folders in which one that is not there would lie;
   * absolute, for who watches them.
   */
  files: string[];
  /** All that may make these tools others, unless another file or folder comes that holds some; absolute. */
  dependsOn: DependsOn;
}
