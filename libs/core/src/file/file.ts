import type { FilePlace } from "./workspace.ts";

/** A file's bytes are kept in pieces of this size, each once for a tenant. */
export const FILE_CHUNK_BYTES = 256 * 1024;
/** So many versions of a file are kept, the present one among them. */
export const FILE_VERSIONS_MAX = 10;
/** Files of a folder that are moved or removed at once. */
export const FOLDER_FILES_MAX = 10_000;

/** A version of a file, without its bytes. */
export interface FileVersion {
  version: number;
  /** In bytes. */
  size: number;
  /** SHA-256 of its bytes in hex: the strong ETag. */
  hash: string;
  writtenAt: Date;
  /** The id of the key or of the execution that wrote it. */
  writtenBy: string;
}

/** A file as it is now. It keeps its id, its versions and its times when it is moved. */
export interface FileRecord extends FilePlace, FileVersion {
  fileId: string;
  createdAt: Date;
  createdBy: string;
}

/** What a writer expects to find, as a PUT says it. */
export interface FileCondition {
  /** Null: either. */
  exists: boolean | null;
  /** One of these has to be its hash; null: any. */
  hashes: readonly string[] | null;
}

export const ANY_FILE: FileCondition = { exists: null, hashes: null };

/** How much of a tenant's quota is used. Former versions don't count. */
export interface FileUsage {
  files: number;
  bytes: number;
}

/** The content type by the end of the name alone: bytes are never looked at, so that nobody's bytes choose how they are shown. */
export function contentTypeOf(path: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  return TYPES.get(ending) ?? "application/octet-stream";
}

const TEXT: Readonly<Record<string, string>> = {
  "text/plain":
    "txt log ini conf cfg env toml sh bash ps1 py rb go rs java kt c h cc cpp hpp cs swift php pl lua r sql ts tsx jsx vue diff patch",
  "text/markdown": "md markdown mdx",
  "text/csv": "csv",
  "text/tab-separated-values": "tsv",
  "text/html": "html htm",
  "text/css": "css",
  "text/javascript": "js mjs cjs",
  "text/calendar": "ics",
  "text/vcard": "vcf",
  "application/json": "json jsonl ndjson geojson map",
  "application/yaml": "yaml yml",
  "application/xml": "xml xsd xsl rss atom",
};
const BINARY: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg jpeg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/avif": "avif",
  "image/svg+xml": "svg",
  "image/bmp": "bmp",
  "image/x-icon": "ico",
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
  "audio/ogg": "ogg oga opus",
  "audio/mp4": "m4a",
  "audio/flac": "flac",
  "video/mp4": "mp4 m4v",
  "video/webm": "webm",
  "video/quicktime": "mov",
  "application/pdf": "pdf",
  "application/zip": "zip",
  "application/gzip": "gz tgz",
  "application/x-tar": "tar",
  "application/wasm": "wasm",
  "font/woff2": "woff2",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
};

const TYPES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(TEXT).flatMap(([type, endings]) =>
    endings.split(" ").map((ending) => [ending, `${type}; charset=utf-8`] as const),
  ),
  ...Object.entries(BINARY).flatMap(([type, endings]) =>
    endings.split(" ").map((ending) => [ending, type] as const),
  ),
]);
