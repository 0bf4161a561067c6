import type { Execution } from "@bulkhead/client";
import { Box } from "../design/part.tsx";
import { Words } from "../design/words.tsx";
import { billOf } from "./bill.ts";
import { placeIn, shownError } from "./error-words.ts";
import { ResultView } from "./result-view.tsx";

/** How an execution ended: its result or its error, and what it took. */
export function ExecutionOutcome({ execution }: { execution: Execution }) {
  const { status, result, error, erased } = execution;
  return (
    <>
      <p className="text-xs text-ink-2 tabular-nums">{billOf(execution).join(" · ")}</p>
      {error !== undefined && <Failure {...error} />}
      {status === "succeeded" &&
        (erased?.includes("result") === true ? (
          <p className="text-sm text-ink-2">
            Its result was erased, as the settings of the tool or the tenant have it.
          </p>
        ) : (
          <ResultView value={result ?? null} />
        ))}
    </>
  );
}

/** An error: its code, what it says, where it was thrown, what to do. */
function Failure(error: NonNullable<Execution["error"]>) {
  const { message } = error;
  const { code, next } = shownError(error);
  const place = placeIn(message);
  return (
    <Box title={<span className="font-mono text-bad">{code}</span>}>
      <p className="max-h-72 overflow-auto font-mono text-sm break-words whitespace-pre-wrap">
        <Words text={message} />
      </p>
      {place !== null && (
        <p className="mt-2 text-sm">
          Line {place.line.toLocaleString()}, column {place.column.toLocaleString()} of the tool's code.
        </p>
      )}
      <p className="mt-2 text-sm text-ink-2">{next}</p>
    </Box>
  );
}
