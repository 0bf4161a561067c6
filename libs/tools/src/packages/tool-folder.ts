import { Fault, type FaultDetail } from "@bulkhead/core";
import { packageFault, placeOf } from "./package-fault.ts";

/**
 * A tool's files by name, `examples` a folder in it. Each is bytes, as an archive has it, or what a JSON document says in
 * its place: a value for a file of JSON, text for any other.
 */
export type ToolFolder = { [file: string]: unknown };

/** Throws a Fault for text that is no JSON, or that nests too deep. */
export type ParseJson = (text: string) => unknown;

/** Reads the files of one folder; what is wrong with them is gathered. */
export class FolderReader {
  readonly folder: string;
  readonly faults: FaultDetail[] = [];
  readonly #parseJson: ParseJson;

  constructor(folder: string, parseJson: ParseJson) {
    this.folder = folder;
    this.#parseJson = parseJson;
  }

  fault(file: string, message: string, field = ""): void {
    this.faults.push({ path: placeOf(this.folder, file, field), message });
  }

  /** Throws what was gathered, if anything was. */
  settle(): void {
    if (this.faults.length > 0) throw packageFault(this.faults);
  }

  text(file: string, content: unknown): string {
    if (typeof content === "string") return content;
    if (!(content instanceof Uint8Array)) {
      this.fault(file, "must be text");
      return "";
    }
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(content);
    } catch {
      this.fault(file, "must be UTF-8");
      return "";
    }
  }

  json(file: string, content: unknown): unknown {
    if (!(content instanceof Uint8Array)) return content;
    const before = this.faults.length;
    const text = this.text(file, content);
    if (this.faults.length > before) return undefined;
    try {
      return this.#parseJson(text);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.fault(file, error.errors[0]?.message ?? error.detail.replace(/\.$/, ""));
      return undefined;
    }
  }
}
