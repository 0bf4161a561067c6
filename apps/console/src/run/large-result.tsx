import { useState } from "react";
import { useResultStart, useWholeResult } from "../data/payloads.ts";
import { Button } from "../design/button.tsx";
import { Refusal } from "../design/fields.tsx";
import { Failed, Skeleton } from "../design/page-states.tsx";
import { Box } from "../design/part.tsx";
import { Words } from "../design/words.tsx";
import { bytes } from "../format/numbers.ts";
import { ResultView } from "./result-view.tsx";

/** A result that was too large to come with the end of its run: its beginning, and all of it when somebody asks. */
export function LargeResult({ executionId }: { executionId: string }) {
  const [isAsked, ask] = useState(false);
  const start = useResultStart(executionId);
  const whole = useWholeResult(executionId, isAsked);
  if (whole.data !== undefined) return <ResultView value={whole.data.value} />;
  if (start.isPending) return <Skeleton className="h-32 rounded-lg" />;
  if (start.data === undefined) return <Failed error={start.error} onRetry={() => void start.refetch()} />;
  if (start.data.isWhole) return <ResultView value={JSON.parse(start.data.text) as unknown} />;
  return (
    <Box title="Result: its beginning">
      <pre
        tabIndex={0}
        role="region"
        aria-label="The beginning of the result"
        className="max-h-72 overflow-auto font-mono text-sm break-all whitespace-pre-wrap"
      >
        <Words text={start.data.text} />
      </pre>
      <Button
        className="mt-2"
        isBusy={whole.isFetching}
        onClick={() => (isAsked ? void whole.refetch() : ask(true))}
      >
        Show all {bytes(start.data.total)}
      </Button>
      <Refusal error={whole.error} />
    </Box>
  );
}
