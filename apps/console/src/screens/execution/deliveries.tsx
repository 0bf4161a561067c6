import type { Delivery, Execution } from "@bulkhead/client";
import { hasEnded } from "@bulkhead/client";
import { wordsOf } from "../../data/api.ts";
import { useRedeliver } from "../../data/execution-actions.ts";
import { useDeliveries } from "../../data/executions.ts";
import { useMayRun } from "../../data/session.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Send } from "../../design/icons.tsx";
import { notify } from "../../design/notices.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { Box } from "../../design/part.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { duration } from "../../format/numbers.ts";

const LOOKS = {
  pending: { name: "Under way", tone: "info" },
  delivered: { name: "Delivered", tone: "good" },
  failed: { name: "Failed", tone: "bad" },
} as const;

/** How its end was told to the caller's URL, and a button that tells it again. */
export function Deliveries({ execution }: { execution: Execution }) {
  const { data: deliveries, error, isPending, refetch } = useDeliveries(execution.id);
  const redeliver = useRedeliver(execution.id);
  const mayRun = useMayRun();
  if (isPending) return <Loading what="the deliveries" />;
  if (deliveries === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (deliveries.length === 0)
    return (
      <Picture
        icon={Send}
        title={hasEnded(execution.status) ? "Nothing was delivered" : "Nothing is delivered yet"}
      >
        The end of an execution is posted to the callback that its call named, if it named one.
      </Picture>
    );
  const again = (n: number): void =>
    redeliver.mutate(n, {
      onSuccess: () => notify("good", "It is delivered again."),
      onError: (fault) => notify("bad", wordsOf(fault)),
    });
  return (
    <div className="flex flex-col gap-4">
      {deliveries.map((delivery) => (
        <Box
          key={delivery.n}
          title={
            <span className="flex flex-wrap items-center gap-2">
              <Badge tone={LOOKS[delivery.status].tone} hasDot>
                {LOOKS[delivery.status].name}
              </Badge>
              <span className="font-mono font-normal break-all">
                <Words text={delivery.url} />
              </span>
            </span>
          }
          aside={
            mayRun &&
            delivery.status !== "pending" && (
              <Button
                icon={Send}
                isSmall
                isBusy={redeliver.isPending && redeliver.variables === delivery.n}
                onClick={() => again(delivery.n)}
              >
                Deliver again
              </Button>
            )
          }
        >
          <Tries delivery={delivery} />
        </Box>
      ))}
    </div>
  );
}

const Tries = ({ delivery: { attempts, nextAttemptAt } }: { delivery: Delivery }) => (
  <>
    {attempts.length === 0 && <p className="text-sm text-ink-3">It was not tried yet.</p>}
    <ol className="flex flex-col gap-1 text-sm">
      {attempts.map(({ at, status, error, location, ms }) => (
        <li key={at} className="flex flex-wrap gap-x-3">
          <span className="text-ink-3">
            <When at={at} />
          </span>
          {status !== undefined && <span className="font-mono">{status}</span>}
          {error !== undefined && (
            <span className="min-w-0 break-words text-bad">
              <Words text={error} />
            </span>
          )}
          {location !== undefined && (
            <span className="min-w-0 break-all text-ink-2">
              sent on to <Words text={location} />, which is not followed
            </span>
          )}
          {ms !== undefined && <span className="text-ink-3 tabular-nums">{duration(ms)}</span>}
        </li>
      ))}
    </ol>
    {nextAttemptAt !== undefined && (
      <p className="mt-2 text-xs text-ink-3">
        The next try comes <When at={nextAttemptAt} />.
      </p>
    )}
  </>
);
