import type { DiffLine, DiffRow } from "../../../design/diff-lines.ts";

/** Rows that follow each other in both versions, with nothing left out between them. */
export interface DiffHunk {
  rows: readonly DiffRow[];
}

const HEAD = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Hunks of the unified format as rows of two columns: lines that were taken out stand beside those that came in. */
export function sideBySide(unified: string): DiffHunk[] {
  const hunks: { rows: DiffRow[] }[] = [];
  let [before, after] = [0, 0];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = (): void => {
    const rows = hunks.at(-1)?.rows ?? [];
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      rows.push({ before: removed[at] ?? null, after: added[at] ?? null, isSame: false });
    [removed, added] = [[], []];
  };
  for (const line of unified.split("\n")) {
    const head = HEAD.exec(line);
    if (head !== null) {
      flush();
      hunks.push({ rows: [] });
      [before, after] = [Number(head[1]), Number(head[2])];
    } else if (hunks.length === 0) continue;
    else if (line.startsWith("-")) {
      // A line that goes behind one that came belongs to the next change.
      if (added.length > 0) flush();
      removed.push({ number: before, text: line.slice(1) });
      before += 1;
    } else if (line.startsWith("+")) {
      added.push({ number: after, text: line.slice(1) });
      after += 1;
    } else if (line.startsWith(" ")) {
      flush();
      const text = line.slice(1);
      hunks
        .at(-1)
        ?.rows.push({ before: { number: before, text }, after: { number: after, text }, isSame: true });
      [before, after] = [before + 1, after + 1];
    }
  }
  flush();
  return hunks;
}
