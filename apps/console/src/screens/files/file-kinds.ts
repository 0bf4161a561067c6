import type { EditorLanguage } from "../../code-editor/editor-text.ts";

/** How a file's bytes are shown. */
export type FileForm =
  | { kind: "text"; text: string; isMarkdown: boolean }
  /** One that an `img` shows; it is shown to who asks for it. */
  | { kind: "picture"; type: string }
  | { kind: "bytes" };

const PICTURES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
  "image/svg+xml",
]);

const endOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";

const LANGUAGES: Readonly<Record<string, EditorLanguage>> = {
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  ts: "typescript",
  mts: "typescript",
  json: "json",
};

/** What the editor has colours for; undefined: the text is shown without. */
export const languageOf = (path: string): EditorLanguage | undefined => LANGUAGES[endOf(path)];

/** Text is what is whole UTF-8 without a NUL; a part of a file may end within a letter. */
export function textOf(bytes: Uint8Array, isWhole: boolean): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return null;
  }
}

export function formOf(path: string, contentType: string, bytes: Uint8Array, isWhole: boolean): FileForm {
  const [type = ""] = contentType.split(";");
  if (PICTURES.has(type) && isWhole) return { kind: "picture", type };
  const text = textOf(bytes, isWhole);
  if (text === null) return { kind: "bytes" };
  return { kind: "text", text, isMarkdown: ["md", "markdown"].includes(endOf(path)) };
}
