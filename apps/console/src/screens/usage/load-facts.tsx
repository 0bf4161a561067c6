import { useLoad } from "../../data/usage.ts";
import { Button } from "../../design/button.tsx";
import { Skeleton } from "../../design/page-states.tsx";
import { Facts } from "../../design/part.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { wordsOf } from "../../data/api.ts";
import { count, duration, percent } from "../../format/numbers.ts";

/** What waits and runs at this moment, and how the workers are shared. */
export function LoadFacts() {
  const { data: load, error, refetch } = useLoad();
  if (load === undefined)
    return error === null ? (
      <Skeleton className="h-44" />
    ) : (
      <p role="alert" className="text-sm text-ink-2">
        <Words text={wordsOf(error)} /> <Button onClick={() => void refetch()}>Try again</Button>
      </p>
    );
  return (
    <Facts
      facts={[
        ["Running", `${count(load.running)} of ${count(load.limit)}`],
        ["Waiting", count(load.queued)],
        ["Share of the workers", percent(load.share)],
        ["Weight", count(load.weight)],
        [
          "A call that comes now waits",
          load.predictedWaitMs === null ? "not known yet" : `about ${duration(load.predictedWaitMs)}`,
        ],
        [
          "Rate",
          load.throttledUntil === null ? (
            "not held back"
          ) : (
            <span className="text-warn">
              starts again <When at={load.throttledUntil} />
            </span>
          ),
        ],
      ]}
    />
  );
}
