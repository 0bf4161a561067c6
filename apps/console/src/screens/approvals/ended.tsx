import { type EndedKind, useEnded } from "../../data/approvals.ts";
import { useKeyName } from "../../data/key-names.ts";
import { Badge } from "../../design/badge.tsx";
import { Inbox } from "../../design/icons.tsx";
import { ShowMore } from "../../design/next-page.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { lookOf, previewOf } from "./approval-words.ts";
import { CallRow } from "./call-row.tsx";

interface Props {
  kind: EndedKind;
  openId: string | undefined;
}

const NONE = {
  answered: "Nobody has answered a call yet",
  expired: "No call has been left without an answer",
} as const;

/** Calls that wait no more: what people answered, and who did; or what nobody answered in time. */
export function Ended({ kind, openId }: Props) {
  const found = useEnded(kind);
  const nameOf = useKeyName();
  if (found.isPending) return <Loading what="the calls" />;
  if (found.data === undefined) return <Failed error={found.error} onRetry={() => void found.refetch()} />;
  const approvals = found.data.pages.flatMap((page) => page.approvals);
  if (approvals.length === 0)
    return (
      <Picture icon={Inbox} title={NONE[kind]}>
        What agents ask for is kept here for as long as its execution is.
      </Picture>
    );
  return (
    <>
      <ul aria-label="Calls">
        {approvals.map((approval) => {
          const { id, toolName, agentId, answeredBy, answeredAt, expiresAt } = approval;
          const look = lookOf(approval);
          const agent = agentId === undefined ? "an agent" : `agent ${agentId}`;
          return (
            <CallRow
              key={id}
              id={id}
              name={toolName}
              aside={<Badge tone={look.tone}>{look.name}</Badge>}
              about={previewOf(approval.arguments)}
              foot={
                <>
                  <span className="min-w-0 truncate">
                    <Words text={answeredBy === undefined ? agent : `${nameOf(answeredBy)} to ${agent}`} />
                  </span>
                  <span className="ml-auto shrink-0">
                    <When at={answeredAt ?? expiresAt} />
                  </span>
                </>
              }
              isOpen={openId !== undefined && [id, id.replace(/^apr_/, "exe_")].includes(openId)}
            />
          );
        })}
      </ul>
      <ShowMore found={found} />
    </>
  );
}
