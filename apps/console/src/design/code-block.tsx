import { useState } from "react";
import { CodeText, EmptyLines, ShowAllLines } from "./code-text.tsx";
import { CopyButton } from "./copy-button.tsx";
import { folded, isEmptyLine } from "./gaps.ts";

/** More lines, or characters of them, than these are shown when somebody asks. */
const LINES_FIRST = 400;
const CHARS_FIRST = 60_000;

/**
 * Text as it is, with the numbers of its lines. Nothing of it lies beside the window: long lines wrap, and wide gaps and many
 * empty lines are told as numbers.
 */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  const [isWhole, setWhole] = useState(false);
  const first = isWhole ? text : text.slice(0, CHARS_FIRST);
  const lines = first.split("\n").map((line, index) => ({ number: index + 1, line }));
  const folds = folded(lines, ({ line }) => (isEmptyLine(line) ? "empty lines" : null));
  const shown = isWhole ? folds : folds.slice(0, LINES_FIRST);
  const isCut = shown.length < folds.length || first.length < text.length;
  return (
    <div className="relative overflow-hidden rounded-lg border border-line bg-surface">
      <CopyButton text={text} className="absolute top-1.5 right-1.5 bg-surface!" />
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-[70vh] overflow-auto py-3 font-mono text-sm leading-6"
      >
        <code className="grid">
          {shown.map((fold, index) =>
            // A line has no name but its number.
            "row" in fold ? (
              <span key={index} className="grid grid-cols-[3.5rem_minmax(0,1fr)] px-1 hover:bg-hover">
                <span className="pr-4 text-right text-ink-3 select-none" aria-hidden>
                  {fold.row.number}
                </span>
                <span className="pr-10 wrap-anywhere whitespace-pre-wrap">
                  <CodeText text={fold.row.line} />
                </span>
              </span>
            ) : (
              <EmptyLines key={index} count={fold.empty} kind={fold.kind} />
            ),
          )}
        </code>
      </pre>
      {isCut && <ShowAllLines count={text.split("\n").length} onShow={() => setWhole(true)} />}
    </div>
  );
}
