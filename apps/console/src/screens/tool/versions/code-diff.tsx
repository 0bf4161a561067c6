import { useState } from "react";
import { Button } from "../../../design/button.tsx";
import { Words } from "../../../design/words.tsx";
import { type DiffHunk, type DiffRow, sideBySide, type SideLine } from "./side-by-side.ts";

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
            {rows.map((row) => (
              <Row key={`${row.before?.number ?? ""}:${row.after?.number ?? ""}`} row={row} />
            ))}
          </div>
        ))}
      </div>
      {!isWhole && count > ROWS_FIRST && (
        <Button
          look="quiet"
          className="w-full rounded-none border-t border-line"
          onClick={() => setWhole(true)}
        >
          Show all {count.toLocaleString()} lines
        </Button>
      )}
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

const Row = ({ row: { before, after, isSame } }: { row: DiffRow }) => (
  <div className="grid md:grid-cols-2">
    <Side line={before} sign={isSame ? null : "removed"} />
    {/* On a narrow page, where the sides stand below each other, what is the same stands there once. */}
    <div className={isSame ? "max-md:hidden md:border-l md:border-line" : "md:border-l md:border-line"}>
      <Side line={after} sign={isSame ? null : "added"} />
    </div>
  </div>
);

const SIGNS = {
  removed: { mark: "−", look: "bg-bad-soft" },
  added: { mark: "+", look: "bg-good-soft" },
} as const;

function Side({ line, sign }: { line: SideLine; sign: keyof typeof SIGNS | null }) {
  if (line === null) return <div className="hidden h-full min-h-5 bg-sunken md:block" />;
  return (
    <div
      className={`grid h-full grid-cols-[2.75rem_1rem_minmax(0,1fr)] ${sign === null ? "" : SIGNS[sign].look}`}
    >
      <span className="pr-2 text-right text-ink-3 select-none" aria-hidden>
        {line.number}
      </span>
      <span className="text-center text-ink-2 select-none">
        {sign !== null && (
          <>
            <span aria-hidden>{SIGNS[sign].mark}</span>
            <span className="sr-only">{sign}</span>
          </>
        )}
      </span>
      <span className="pr-3 break-words whitespace-pre-wrap">
        <Words text={line.text || " "} />
      </span>
    </div>
  );
}
