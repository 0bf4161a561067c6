import { wordsOf } from "../data/api.ts";
import type { useTail } from "../data/execution-tail.ts";
import type { useExecutions } from "../data/executions.ts";
import { Button } from "../design/button.tsx";
import { Words } from "../design/words.tsx";

interface Props {
  found: ReturnType<typeof useExecutions>;
  tail: ReturnType<typeof useTail>;
}

/** Above a live list of executions: why new ones do not come, and a way to ask again. */
export function NewestFailed({ found, tail }: Props) {
  // The next page tells for itself why it did not come.
  const fault = tail.error ?? (found.isFetchNextPageError ? null : found.error);
  return (
    fault !== null && (
      <p role="alert" className="mb-2 rounded-md bg-warn-soft px-3 py-2 text-sm">
        New executions could not be loaded. <Words text={wordsOf(fault)} />{" "}
        <Button className="ml-2" onClick={() => void found.refetch().then(tail.look)}>
          Try again
        </Button>
      </p>
    )
  );
}
