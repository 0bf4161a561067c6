import { CodeText, EmptyLines } from "./code-text.tsx";
import type { DiffLine, DiffRow } from "./diff-lines.ts";
import { folded, isEmptyLine } from "./gaps.ts";

/** Lines before beside the lines after; on narrow pages below each other, and what is the same once. Nothing lies out of sight. */
export const DiffRows = ({ rows }: { rows: readonly DiffRow[] }) =>
  folded(rows, emptyKind).map((fold, index) =>
    // Rows have no name but their place.
    "row" in fold ? (
      <DiffRowView key={index} row={fold.row} />
    ) : (
      <EmptyLines key={index} count={fold.empty} kind={fold.kind} />
    ),
  );

function emptyKind({ before, after, isSame }: DiffRow): string | null {
  if (!isEmptyLine(before?.text ?? "") || !isEmptyLine(after?.text ?? "")) return null;
  if (isSame) return "empty lines";
  if (before === null) return "empty lines added";
  return after === null ? "empty lines removed" : "empty lines changed";
}

const DiffRowView = ({ row: { before, after, isSame } }: { row: DiffRow }) => (
  <div className="grid md:grid-cols-2">
    <Side line={before} sign={isSame ? null : "removed"} />
    <div className={isSame ? "max-md:hidden md:border-l md:border-line" : "md:border-l md:border-line"}>
      <Side line={after} sign={isSame ? null : "added"} />
    </div>
  </div>
);

const SIGNS = {
  removed: { mark: "−", look: "bg-bad-soft" },
  added: { mark: "+", look: "bg-good-soft" },
} as const;

function Side({ line, sign }: { line: DiffLine; sign: keyof typeof SIGNS | null }) {
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
      <span className="pr-3 wrap-anywhere whitespace-pre-wrap">
        <CodeText text={line.text} />
      </span>
    </div>
  );
}
