import type { Approval } from "@bulkhead/client";
import { useWaiting } from "../../data/approvals.ts";
import { useMayAnswer } from "../../data/session.ts";
import { Countdown } from "../../design/countdown.tsx";
import { Inbox } from "../../design/icons.tsx";
import { ShowMore } from "../../design/next-page.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { useSelection } from "../../design/use-selection.ts";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { previewOf } from "./approval-words.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { CallRow } from "./call-row.tsx";

/** What waits, newest first; several may be selected and answered together. */
export function WaitingList({ openId }: { openId: string | undefined }) {
  const waiting = useWaiting();
  const mayAnswer = useMayAnswer();
  const { data, error, isPending, refetch } = waiting;
  const approvals = data?.pages.flatMap((page) => page.approvals) ?? [];
  const selected = useSelection(approvals);
  if (isPending) return <Loading what="the calls that wait" />;
  if (data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (approvals.length === 0) return <Nothing />;
  return (
    <>
      {mayAnswer && <BulkBar selected={selected} />}
      <ul aria-label="Calls that wait">
        {approvals.map((approval) => (
          <WaitingRow
            key={approval.id}
            approval={approval}
            isOpen={approval.id === openId}
            isSelected={selected.has(approval.id)}
            select={mayAnswer ? (isRange) => selected.toggle(approval, isRange) : null}
          />
        ))}
      </ul>
      <ShowMore found={waiting} />
    </>
  );
}

interface RowProps {
  approval: Approval;
  isOpen: boolean;
  isSelected: boolean;
  select: ((isRange: boolean) => void) | null;
}

const WaitingRow = ({ approval, isOpen, isSelected, select }: RowProps) => {
  const { id, toolName, agentId, createdAt, expiresAt } = approval;
  return (
    <CallRow
      id={id}
      name={toolName}
      before={
        select !== null && (
          <input
            type="checkbox"
            aria-label={`Select the call of ${toolName}`}
            checked={isSelected}
            onChange={({ nativeEvent }) => select((nativeEvent as PointerEvent).shiftKey)}
            className="relative z-10 mt-0.5 size-4 shrink-0 accent-accent"
          />
        )
      }
      aside={<Countdown until={expiresAt} />}
      about={previewOf(approval.arguments)}
      foot={
        <>
          <span className="min-w-0 truncate">
            <Words text={agentId === undefined ? "an agent" : `agent ${agentId}`} />
          </span>
          <span className="ml-auto">
            <When at={createdAt} />
          </span>
        </>
      }
      isOpen={isOpen}
    />
  );
};

const Nothing = () => (
  <Picture icon={Inbox} title="Nothing waits for you">
    When an agent calls a tool that a person has to allow, the call shows here at once.
  </Picture>
);
