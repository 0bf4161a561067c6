import { useState } from "react";
import { Words } from "./words.tsx";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";

/** More lines than these are shown when somebody asks. */
const LINES_FIRST = 400;

/** Text as it is, with the numbers of its lines. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  const [isWhole, setWhole] = useState(false);
  const lines = text.split("\n");
  const shown = isWhole ? lines : lines.slice(0, LINES_FIRST);
  return (
    <div className="relative overflow-hidden rounded-lg border border-line bg-surface">
      <CopyButton text={text} className="absolute top-1.5 right-1.5 bg-surface!" />
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-[70vh] overflow-auto py-3 font-mono text-sm leading-6"
      >
        <code className="grid w-max min-w-full">
          {shown.map((line, index) => (
            // A line has no name but its number.
            <span key={index} className="grid grid-cols-[3.5rem_1fr] px-1 hover:bg-hover">
              <span className="pr-4 text-right text-ink-3 select-none" aria-hidden>
                {index + 1}
              </span>
              <span className="pr-4 whitespace-pre">
                <Words text={line || " "} />
              </span>
            </span>
          ))}
        </code>
      </pre>
      {shown.length < lines.length && (
        <Button
          look="quiet"
          className="w-full rounded-none border-t border-line"
          onClick={() => setWhole(true)}
        >
          Show all {lines.length.toLocaleString()} lines
        </Button>
      )}
    </div>
  );
}
