import { wordsOf } from "../../data/api.ts";
import { Check, CircleX, Info, LoaderCircle } from "../../design/icons.tsx";
import { Words } from "../../design/words.tsx";
import { FIELD_NAMES } from "./differences.ts";
import type { DraftField } from "./draft.ts";
import type { Problem } from "./problems.ts";
import type { Checked } from "./use-problems.ts";

interface Props {
  problems: readonly Problem[];
  checked: Checked;
  /** Goes to where it is. */
  onJump: (problem: Problem) => void;
}

/** What the server has against the draft, at the foot of what is written; a press goes to the place. */
export function ProblemBar({ problems, checked: { isChecking, error }, onJump }: Props) {
  return (
    <section aria-label="Problems" className="border-t border-line bg-surface text-sm">
      <p role="status" className="flex min-h-8 items-center gap-2 px-4 text-xs text-ink-2">
        <State count={problems.length} isChecking={isChecking} error={error} />
      </p>
      {problems.length > 0 && (
        <ul className="max-h-40 divide-y divide-line overflow-y-auto border-t border-line">
          {problems.map((problem, index) => (
            // Two may say the same of the same place.
            <li key={index}>
              <Row problem={problem} onJump={onJump} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function State({ count, isChecking, error }: { count: number; isChecking: boolean; error: Error | null }) {
  if (error !== null)
    return (
      <span className="text-bad">
        The draft could not be checked: <Words text={wordsOf(error)} /> It is checked again when you go on
        writing.
      </span>
    );
  if (count > 0)
    return <span className="font-medium">{count === 1 ? "1 problem" : `${count} problems`}</span>;
  if (isChecking)
    return (
      <>
        <LoaderCircle size={13} className="animate-spin" /> Checking
      </>
    );
  return (
    <>
      <Check size={13} className="text-good" /> No problems
    </>
  );
}

const nameOf = (path: string): string => FIELD_NAMES[(/^\w*/.exec(path)?.[0] ?? "") as DraftField] ?? path;

function Row({ problem, onJump }: { problem: Problem; onJump: (problem: Problem) => void }) {
  const { severity, message, path, line, column } = problem;
  const isError = severity === "error";
  const Sign = isError ? CircleX : Info;
  return (
    <button
      type="button"
      className="flex w-full items-start gap-2.5 px-4 py-1.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
      onClick={() => onJump(problem)}
    >
      <Sign size={14} className={`mt-0.5 shrink-0 ${isError ? "text-bad" : "text-warn"}`} />
      <span className="sr-only">{isError ? "Error:" : "Warning:"}</span>
      <span className="min-w-0 flex-1 break-words">
        <Words text={message} />
      </span>
      <span className="shrink-0 text-xs text-ink-3 tabular-nums">
        {line === undefined ? <Words text={nameOf(path)} /> : `${nameOf(path)} ${line}:${column}`}
      </span>
    </button>
  );
}
