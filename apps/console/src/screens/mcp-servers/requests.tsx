import type { McpAccessRequest } from "@bulkhead/client";
import { useState } from "react";
import { getRouteApi } from "@tanstack/react-router";
import { useMcpRequests } from "../../data/mcp-access.ts";
import { useIsOwner } from "../../data/session.ts";
import { Badge, type Tone } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Select } from "../../design/fields.tsx";
import { Check } from "../../design/icons.tsx";
import { ShowMore } from "../../design/next-page.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { AnswerRequest } from "./answer-request.tsx";
import { REQUEST_STATUSES } from "./mcp-search.ts";

const list = getRouteApi("/mcp-servers");

/** Wishes for the tools of one server, or of all of them with a choice of how they stand. */
export const Requests = ({ server }: { server?: string }) =>
  server === undefined ? <OfAll /> : <Found server={server} />;

function OfAll() {
  const { status } = list.useSearch();
  const navigate = list.useNavigate();
  return (
    <>
      <Select
        aria-label="Status"
        className="mb-3"
        value={status ?? ""}
        onChange={({ target }) => {
          const next = REQUEST_STATUSES.find((one) => one === target.value);
          void navigate({
            search: ({ status: _before, ...rest }) => ({ ...rest, ...(next && { status: next }) }),
            replace: true,
          });
        }}
      >
        <option value="">All requests</option>
        {REQUEST_STATUSES.map((one) => (
          <option key={one} value={one}>
            {LOOKS[one].name}
          </option>
        ))}
      </Select>
      <Found {...(status && { status })} />
    </>
  );
}

const LOOKS: Readonly<Record<McpAccessRequest["status"], { name: string; tone: Tone }>> = {
  pending: { name: "Waits", tone: "warn" },
  approved: { name: "Approved", tone: "good" },
  rejected: { name: "Rejected", tone: "bad" },
};

interface FoundProps {
  server?: string;
  status?: McpAccessRequest["status"];
}

function Found({ server, status }: FoundProps) {
  const [answering, setAnswering] = useState<{ request: McpAccessRequest; isApproved: boolean } | null>(null);
  const found = useMcpRequests({ server, status });
  if (found.isPending) return <Loading what="the requests" />;
  if (found.data === undefined) return <Failed error={found.error} onRetry={() => void found.refetch()} />;
  const requests = found.data.pages.flatMap((page) => page.requests);
  if (requests.length === 0)
    return server === undefined ? (
      <Picture icon={Check} title={status === undefined ? "Nobody has asked" : "No request is like that"}>
        Agents ask for the tools of servers that they do not get; what they ask stands here.
      </Picture>
    ) : (
      <p className="text-sm text-ink-2">Nobody has asked for this server's tools.</p>
    );
  return (
    <>
      <ul
        aria-label="Requests for access"
        className="divide-y divide-line rounded-lg border border-line bg-surface text-sm"
      >
        {requests.map((request) => (
          <Request
            key={request.requestId}
            request={request}
            hasServer={server === undefined}
            answer={(isApproved) => setAnswering({ request, isApproved })}
          />
        ))}
      </ul>
      <ShowMore found={found} />
      {answering !== null && <AnswerRequest {...answering} onClose={() => setAnswering(null)} />}
    </>
  );
}

interface RequestProps {
  request: McpAccessRequest;
  hasServer: boolean;
  answer: (isApproved: boolean) => void;
}

function Request({ request, hasServer, answer }: RequestProps) {
  const isOwner = useIsOwner();
  const { server, scope, id, toolAllow, reason, status, createdAt, answer: said, answeredAt } = request;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-3 py-2.5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={LOOKS[status].tone} hasDot>
            {LOOKS[status].name}
          </Badge>
          <span className="min-w-0 break-words">
            {scope === "agent" ? "Agent" : "User"}{" "}
            <strong>
              <Words text={id} />
            </strong>
            {hasServer && ` for ${server}`}
          </span>
          <span className="text-xs text-ink-3">
            <When at={createdAt} />
          </span>
        </p>
        <p className="mt-1 break-words text-ink-2">
          Asks for {toolAllow === null ? "every tool" : <Words text={toolAllow.join(", ") || "no tool"} />}
          {reason === undefined ? ", and does not say why." : ": "}
          {reason !== undefined && <Words text={reason} />}
        </p>
        {answeredAt !== undefined && (
          <p className="mt-1 break-words text-ink-3">
            Answered <When at={answeredAt} />
            {said !== undefined && (
              <>
                : <Words text={said} />
              </>
            )}
          </p>
        )}
      </div>
      {isOwner && status === "pending" && (
        <span className="flex gap-2">
          <Button look="danger" onClick={() => answer(false)}>
            Reject
          </Button>
          <Button look="primary" onClick={() => answer(true)}>
            Approve
          </Button>
        </span>
      )}
    </li>
  );
}
