import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useAnswered, useExpired } from "../../data/approvals.ts";
import { useKeyName } from "../../data/key-names.ts";
import { Badge } from "../../design/badge.tsx";
import { Inbox } from "../../design/icons.tsx";
import { type Paged, ShowMore } from "../../design/next-page.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { DEED_LOOKS } from "./approval-words.ts";
import { CallRow } from "./call-row.tsx";

interface Props {
  openId: string | undefined;
}

/** What people answered, and who did. */
export function Answered({ openId }: Props) {
  const found = useAnswered();
  const nameOf = useKeyName();
  const deeds = found.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Pages found={found} count={deeds.length} none="Nobody has answered a call yet">
      {deeds.map(({ id, at, action, subject, actor }) => {
        const look = DEED_LOOKS[action];
        return (
          <CallRow
            key={id}
            id={subject.id}
            name={subject.name ?? subject.id}
            aside={look && <Badge tone={look.tone}>{look.name}</Badge>}
            foot={
              <>
                <span className="min-w-0 truncate">
                  <Words text={actor.keyId === undefined ? actor.role : nameOf(actor.keyId)} />
                </span>
                <span className="ml-auto">
                  <When at={at} />
                </span>
              </>
            }
            isOpen={subject.id === openId}
          />
        );
      })}
    </Pages>
  );
}

/** Calls that were denied since nobody answered. */
export function Expired({ openId }: Props) {
  const found = useExpired();
  const executions = found.data?.pages.flatMap((page) => page.executions) ?? [];
  return (
    <Pages found={found} count={executions.length} none="No call has expired">
      {executions.map(({ id, toolName, context, approval, createdAt }) => (
        <CallRow
          key={id}
          id={approval?.approvalId ?? id}
          name={toolName}
          aside={<Badge tone="calm">Expired</Badge>}
          foot={
            <>
              <span className="min-w-0 truncate">
                <Words text={context.agentId === undefined ? "an agent" : `agent ${context.agentId}`} />
              </span>
              <span className="ml-auto">
                <When at={approval?.expiresAt ?? createdAt} />
              </span>
            </>
          }
          isOpen={openId !== undefined && [id, approval?.approvalId].includes(openId)}
        />
      ))}
    </Pages>
  );
}

interface PagesProps {
  found: Paged & Pick<UseInfiniteQueryResult, "isPending" | "data" | "refetch">;
  count: number;
  none: string;
  children: ReactNode;
}

function Pages({ found, count, none, children }: PagesProps) {
  if (found.isPending) return <Loading what="the calls" />;
  if (found.data === undefined) return <Failed error={found.error} onRetry={() => void found.refetch()} />;
  if (count === 0)
    return (
      <Picture icon={Inbox} title={none}>
        What agents ask for is kept here for as long as its execution is.
      </Picture>
    );
  return (
    <>
      <ul aria-label="Calls">{children}</ul>
      <ShowMore found={found} />
    </>
  );
}
