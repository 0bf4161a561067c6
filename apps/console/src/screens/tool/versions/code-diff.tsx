import { useState } from "react";
import { ShowAllLines } from "../../../design/code-text.tsx";
import { DiffRows } from "../../../design/diff-row.tsx";
import { type DiffHunk, sideBySide } from "./side-by-side.ts";

/** More rows than these are shown when somebody asks. */
const ROWS_FIRST = 400;

/** What changed in the code: the version before at the left, the one after at the right; on narrow pages below each other. */
export function CodeDiff({ unified, label }: { unified: string; label: string }) {
  const [isWhole, setWhole] = useState(false);
  const hunks = sideBySide(unified);
  const count = hunks.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <div
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-[70vh] overflow-auto font-mono text-xs leading-5"
      >
        {shownOf(hunks, isWhole ? Infinity : ROWS_FIRST).map(({ rows }, index) => (
          // A hunk has no name but its place.
          <div key={index} className="border-b-4 border-sunken last:border-b-0">
            <DiffRows rows={rows} />
          </div>
        ))}
      </div>
      {!isWhole && count > ROWS_FIRST && <ShowAllLines count={count} onShow={() => setWhole(true)} />}
    </div>
  );
}

function shownOf(hunks: readonly DiffHunk[], rowsMax: number): DiffHunk[] {
  let left = rowsMax;
  return hunks.flatMap(({ rows }) => {
    const some = rows.slice(0, Math.max(0, left));
    left -= some.length;
    return some.length > 0 ? [{ rows: some }] : [];
  });
}
