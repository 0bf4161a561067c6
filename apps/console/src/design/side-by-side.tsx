import { useState } from "react";
import { ShowAllLines } from "./code-text.tsx";
import { diffLines } from "./diff-lines.ts";
import { DiffRows } from "./diff-row.tsx";

/** More rows than these are shown when somebody asks. */
const ROWS_FIRST = 400;

interface Props {
  label: string;
  /** What each side is called. */
  names: readonly [before: string, after: string];
  before: string;
  after: string;
}

/** What was at the left, what is at the right; on narrow pages below each other, and what is the same once. */
export function SideBySide({ label, names, before, after }: Props) {
  const [isWhole, setWhole] = useState(false);
  const rows = diffLines(before, after);
  const shown = isWhole ? rows : rows.slice(0, ROWS_FIRST);
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="grid border-b border-line text-xs font-semibold text-ink-2 md:grid-cols-2">
        <span className="px-3 py-1.5">
          <span className="text-bad md:hidden">− </span>
          {names[0]}
        </span>
        <span className="px-3 pb-1.5 md:border-l md:border-line md:pt-1.5">
          <span className="text-good md:hidden">+ </span>
          {names[1]}
        </span>
      </div>
      <div
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-[60vh] overflow-auto py-1 font-mono text-xs leading-5"
      >
        <DiffRows rows={shown} />
      </div>
      {shown.length < rows.length && <ShowAllLines count={rows.length} onShow={() => setWhole(true)} />}
    </div>
  );
}
