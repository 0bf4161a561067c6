import type { DiffLine, DiffRow } from "./diff-lines.ts";
import { Words } from "./words.tsx";

/** A line before beside the line after; on narrow pages below each other, and what is the same once. */
export const DiffRowView = ({ row: { before, after, isSame } }: { row: DiffRow }) => (
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
      <span className="pr-3 break-words whitespace-pre-wrap">
        <Words text={line.text || " "} />
      </span>
    </div>
  );
}
