import type {
  AcceptedExecution,
  ExecuteToolBody,
  ExportToolsQuery,
  ToolFolder,
  ToolPackages,
  ToolResult,
} from "./generated/types.ts";
import type { CallOptions, OnceOption } from "./options.ts";
import type { Pages } from "./pages.ts";

/** A zip, as `tools.export` gives it. */
export type ZipBytes = Uint8Array<ArrayBuffer> | ArrayBuffer | Blob;

/** What a file holds; a text as UTF-8. */
export type FileBytes = string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob;

/** Runs a tool and answers with all that is known of its end; a stream is opened by `tools.stream`. */
export type ExecuteMethod = (
  id: string,
  body?: Omit<ExecuteToolBody, "mode"> & { mode?: "sync" | "async" | undefined },
  options?: CallOptions & OnceOption,
) => Promise<ToolResult | AcceptedExecution>;

/** Folders by name, 100 tools at a time; with `format: "zip"` one part of them as a zip. */
export interface ExportMethod {
  (
    query?: Omit<ExportToolsQuery, "format"> & { format?: "json" | undefined },
    options?: CallOptions,
  ): Pages<ToolPackages, [name: string, folder: ToolFolder]>;
  (query: ExportToolsQuery & { format: "zip" }, options?: CallOptions): PromiseLike<Uint8Array>;
}
