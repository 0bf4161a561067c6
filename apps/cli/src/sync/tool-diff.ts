import type { ToolFolder } from "@bulkhead/client";
import { diffLines, splitExtras } from "@bulkhead/tools/folders";
import type { ToolRecord } from "../folders/loaded-folder.ts";
import { importFolderOf } from "../folders/tool-record.ts";

type Json = Parameters<typeof splitExtras>[0];

/** The folder of a record as it is written down: README and examples as files. */
export function folderOfRecord(record: ToolRecord): ToolFolder {
  const { metadata, ...said } = record;
  const { rest, files } = splitExtras((metadata ?? null) as Json);
  return {
    ...importFolderOf({ record: { ...said, ...(rest === null ? {} : { metadata: rest }) } }),
    ...(files.readme === undefined ? {} : { "README.md": files.readme }),
    ...(files.examples === undefined ? {} : { examples: files.examples }),
  } as ToolFolder;
}

/**
 * Theirs against mine, as `git diff` shows what a push would do; null is a tool that is not there. Of two manifests only the
 * fields of `changed` are shown, since the server's says what a folder leaves out. Empty where nothing is to be seen.
 */
export function toolDiff(
  name: string,
  theirs: ToolFolder | null,
  mine: ToolFolder | null,
  changed: readonly string[] | undefined,
): string[] {
  const shown = theirs !== null && mine !== null ? changed : undefined;
  const [before, after] = [filesOf(theirs, shown), filesOf(mine, shown)];
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return names.flatMap((file) => fileDiff(`${name}/${file}`, before.get(file), after.get(file)));
}

function filesOf(folder: ToolFolder | null, changed: readonly string[] | undefined): Map<string, string> {
  const files = new Map<string, string>();
  if (folder === null) return files;
  const { "manifest.json": manifest, examples, ...texts } = folder;
  const shown = Object.entries(manifest).filter(
    ([field]) => changed === undefined || changed.includes(field),
  );
  if (shown.length > 0)
    files.set("manifest.json", jsonText(Object.fromEntries(shown.toSorted(([a], [b]) => (a < b ? -1 : 1)))));
  for (const [file, text] of Object.entries(texts)) if (typeof text === "string") files.set(file, text);
  for (const [file, example] of Object.entries(examples ?? {}))
    files.set(`examples/${file}`, jsonText(example));
  return files;
}

const jsonText = (value: unknown): string => JSON.stringify(value, null, 2);

function fileDiff(path: string, before: string | undefined, after: string | undefined): string[] {
  if (before === after) return [];
  const from = before === undefined ? "/dev/null" : `server/${path}`;
  const to = after === undefined ? "/dev/null" : `folder/${path}`;
  const head = [`--- ${from}`, `+++ ${to}`];
  if (before === undefined || after === undefined)
    return [...head, ...wholeHunk(before ?? after ?? "", before === undefined)];
  const isEnded = before.endsWith("\n") && after.endsWith("\n");
  const shown = (text: string): string => (isEnded ? text.replace(/\n$/, "") : text);
  const { unified } = diffLines(shown(before), shown(after));
  return [...head, ...unified.replace(/\n$/, "").split("\n")];
}

/** All lines of a file that comes or goes. */
function wholeHunk(text: string, comes: boolean): string[] {
  if (text === "") return [];
  const lines = text.replace(/\n$/, "").split("\n");
  const all = `1,${lines.length}`;
  const hunk = comes ? `@@ -0,0 +${all} @@` : `@@ -${all} +0,0 @@`;
  return [hunk, ...lines.map((line) => `${comes ? "+" : "-"}${line}`)];
}
