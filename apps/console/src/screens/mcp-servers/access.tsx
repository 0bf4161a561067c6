import type { McpGrant, McpServer } from "@bulkhead/client";
import { useState } from "react";
import { useDeleteGrant, useMcpGrants } from "../../data/mcp-access.ts";
import { useIsOwner } from "../../data/session.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { Refusal } from "../../design/fields.tsx";
import { Pencil, Plus, Trash } from "../../design/icons.tsx";
import { notify } from "../../design/notices.tsx";
import { Failed, Loading } from "../../design/page-states.tsx";
import { Part } from "../../design/part.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { GrantDialog } from "./grant-dialog.tsx";
import { Requests } from "./requests.tsx";

type Open = { what: "put"; grant?: McpGrant } | { what: "delete"; grant: McpGrant } | null;

/** Who gets the server's tools: by default, by grants, and who wishes to. */
export function Access({ server }: { server: McpServer }) {
  const [open, setOpen] = useState<Open>(null);
  const isOwner = useIsOwner();
  const close = (): void => setOpen(null);
  return (
    <div className="flex max-w-4xl flex-col gap-8">
      <Part title="Without a grant">
        <p className="text-sm text-ink-2">{byDefault(server.agentIds)}</p>
      </Part>
      <Part
        title="Grants"
        aside={
          isOwner && (
            <Button icon={Plus} onClick={() => setOpen({ what: "put" })}>
              Add a grant
            </Button>
          )
        }
      >
        <Grants server={server.name} open={setOpen} />
      </Part>
      <Part title="Requests for access">
        <Requests server={server.name} />
      </Part>
      {open?.what === "put" && (
        <GrantDialog server={server.name} {...(open.grant && { grant: open.grant })} onClose={close} />
      )}
      {open?.what === "delete" && <DeleteGrant server={server.name} grant={open.grant} onClose={close} />}
    </div>
  );
}

function byDefault(agentIds: readonly string[] | undefined) {
  if (agentIds === undefined) return "Every agent gets its tools.";
  if (agentIds.length === 0) return "Nobody gets its tools.";
  return (
    <>
      Only these agents get its tools: <Words text={agentIds.join(", ")} />.
    </>
  );
}

function Grants({ server, open }: { server: string; open: (next: Open) => void }) {
  const isOwner = useIsOwner();
  const { data: grants, error, isPending, refetch } = useMcpGrants(server);
  if (isPending) return <Loading what="the grants" />;
  if (grants === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (grants.length === 0) return <p className="text-sm text-ink-2">There are no grants yet.</p>;
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface text-sm">
      {grants.map((grant) => (
        <li key={`${grant.scope} ${grant.id}`} className="flex items-start gap-3 px-3 py-2">
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-center gap-2 font-medium break-all">
              <Badge tone="calm">{grant.scope === "agent" ? "Agent" : "User"}</Badge>
              <Words text={grant.id} />
            </p>
            <p className="mt-0.5 break-words text-ink-2">{grantWords(grant)}</p>
          </div>
          {isOwner && (
            <>
              <Button
                look="quiet"
                icon={Pencil}
                aria-label={`Change the grant of ${wordsLine(grant.id)}`}
                onClick={() => open({ what: "put", grant })}
              />
              <Button
                look="quiet"
                icon={Trash}
                aria-label={`Delete the grant of ${wordsLine(grant.id)}`}
                onClick={() => open({ what: "delete", grant })}
              />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

const grantWords = ({ enabled, toolAllow, toolDeny }: McpGrant) =>
  enabled ? (
    <>
      Gets {toolAllow === null ? "every tool" : <Words text={toolAllow.join(", ") || "no tool"} />}
      {toolDeny.length > 0 && (
        <>
          , but never <Words text={toolDeny.join(", ")} />
        </>
      )}
      .
    </>
  ) : (
    "The whole server is taken away."
  );

interface DeleteProps {
  server: string;
  grant: McpGrant;
  onClose: () => void;
}

function DeleteGrant({ server, grant: { scope, id }, onClose }: DeleteProps) {
  const remove = useDeleteGrant(server);
  const run = (): void =>
    remove.mutate(
      { scope, id },
      {
        onSuccess: () => {
          notify("good", `The grant of ${id} is gone.`);
          onClose();
        },
      },
    );
  return (
    <Confirm
      title={
        <>
          Delete the grant of <Words text={id} />?
        </>
      }
      does="Delete"
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={run}
    >
      What the server says by default holds for it then.
      <Refusal error={remove.error} />
    </Confirm>
  );
}
