import { Words } from "../design/words.tsx";
import type { SchemaProblem } from "./problem-places.ts";

/** More of one part than these say nothing new. */
const SHOWN_MAX = 3;

/** A place as people read it: "items › name". */
const stepsOf = (pointer: string): string =>
  pointer.slice(1).split("/").join(" › ").replaceAll("~1", "/").replaceAll("~0", "~");

/** What is wrong with a part, beside it. */
export const ProblemList = ({ problems }: { problems: readonly SchemaProblem[] }) =>
  problems.length > 0 && (
    <ul className="flex flex-col gap-0.5 text-xs text-bad">
      {problems.slice(0, SHOWN_MAX).map(({ pointer, message }) => (
        <li key={`${pointer} ${message}`} className="break-words">
          {pointer !== "" && (
            <span className="mr-1 font-mono">
              <Words text={stepsOf(pointer)} />
            </span>
          )}
          <Words text={message} />
        </li>
      ))}
      {problems.length > SHOWN_MAX && <li>and {problems.length - SHOWN_MAX} more</li>}
    </ul>
  );
