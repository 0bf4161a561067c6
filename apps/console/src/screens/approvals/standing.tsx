import type { StandingApproval } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { wordsOf } from "../../data/api.ts";
import { useRevokeStanding, useStanding } from "../../data/approvals.ts";
import { useKeyName } from "../../data/key-names.ts";
import { useMayWrite } from "../../data/session.ts";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { ShieldCheck } from "../../design/icons.tsx";
import { notify } from "../../design/notices.tsx";
import { ShowMore } from "../../design/next-page.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { count } from "../../format/numbers.ts";
import { scopeWords, type Scope } from "./standing-scope.ts";

const scopeOf = ({ argument, pattern }: StandingApproval): Scope =>
  pattern === undefined ? { kind: "all" } : { kind: "match", argument: argument ?? null, pattern };

/** What is allowed for good: which calls, by whom, since when, and the way back. */
export function Standing() {
  const standing = useStanding();
  const nameOf = useKeyName();
  const mayRevoke = useMayWrite();
  const [revoking, setRevoking] = useState<StandingApproval>();
  const { data, error, isPending, refetch } = standing;
  if (isPending) return <Loading what="the standing approvals" />;
  if (data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  const rows = data.pages.flatMap((page) => page.standing);
  if (rows.length === 0)
    return (
      <Picture icon={ShieldCheck} title="Nothing is allowed for good">
        Allow always, beside a call that waits, lets such calls run without asking again.
      </Picture>
    );
  return (
    <div className="p-4 md:p-6">
      <ul aria-label="Standing approvals" className="rounded-lg border border-line bg-surface">
        {rows.map((row) => (
          <li
            key={row.id}
            className="relative flex items-start gap-4 border-b border-line px-3.5 py-3 last:border-b-0 hover:bg-hover"
          >
            <div className="min-w-0 flex-1 text-sm">
              <Link
                to="/tools/$toolId"
                params={{ toolId: row.toolId }}
                data-row
                className="block break-words after:absolute after:inset-0"
              >
                <Words text={scopeWords(row, scopeOf(row))} />
              </Link>
              <p className="mt-1 text-xs text-ink-2">
                Allowed by <Words text={nameOf(row.createdBy)} /> <When at={row.createdAt} />
                {" · "}
                <Uses standing={row} />
              </p>
            </div>
            {mayRevoke && (
              <Button look="danger" className="relative h-7 px-2" onClick={() => setRevoking(row)}>
                Revoke
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ShowMore found={standing} />
      {revoking !== undefined && <Revoke standing={revoking} onClose={() => setRevoking(undefined)} />}
    </div>
  );
}

/** What it let through; one that lets nothing through may go. */
function Uses({ standing: { uses, lastUsedAt } }: { standing: StandingApproval }) {
  if (lastUsedAt === undefined) return "not used yet";
  return (
    <>
      {uses === 1 ? "1 call" : `${count(uses)} calls`} without asking, the last one <When at={lastUsedAt} />
    </>
  );
}

function Revoke({ standing, onClose }: { standing: StandingApproval; onClose: () => void }) {
  const revoke = useRevokeStanding();
  const confirm = (): void =>
    revoke.mutate(standing.id, {
      onSuccess: () => {
        notify("good", `Agents are asked about again: ${standing.toolName}`);
        onClose();
      },
      onError: (error) => notify("bad", wordsOf(error)),
    });
  return (
    <Confirm
      title="Ask about such calls again?"
      does="Revoke"
      isBusy={revoke.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        No longer allowed without asking:{" "}
        <span className="break-words">
          <Words text={scopeWords(standing, scopeOf(standing))} />
        </span>
        . Calls that run already go on.
      </p>
    </Confirm>
  );
}
