import type { Approval } from "@bulkhead/client";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useApproval } from "../../data/approvals.ts";
import { useAskedVersion, useChanges } from "../../data/asked-version.ts";
import { useKeyName } from "../../data/key-names.ts";
import { Badge } from "../../design/badge.tsx";
import { CopyButton } from "../../design/copy-button.tsx";
import { Countdown } from "../../design/countdown.tsx";
import { ArrowLeft } from "../../design/icons.tsx";
import { JsonTree } from "../../design/json-tree.tsx";
import { Failed, Loading } from "../../design/page-states.tsx";
import { Box } from "../../design/part.tsx";
import { When } from "../../design/when.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { FollowedRun } from "../../run/run-view.tsx";
import { AnswerBar } from "./answer-bar.tsx";
import { endOf, STATUS_LOOKS } from "./approval-words.ts";
import { ChangeArguments } from "./change-arguments.tsx";
import { MetaToolCall } from "./meta-tool-call.tsx";
import { Reach } from "./reach.tsx";
import { type Risk, risksOf } from "./reach.ts";
import { WhoAsks, Why } from "./who-asks.tsx";

const route = getRouteApi("/approvals/$approvalId");

/** One call: what exactly is asked for, by whom, what it can reach, and the answer. */
export function OneApproval() {
  const { approvalId } = route.useParams();
  const { data: approval, error, isPending, refetch } = useApproval(approvalId);
  return (
    <article aria-label="The call" className="flex flex-col gap-5 p-4 md:p-6">
      <Link
        to="/approvals"
        search
        className="-mb-2 inline-flex items-center gap-1 self-start text-sm text-ink-2 hover:text-ink lg:hidden"
      >
        <ArrowLeft size={14} />
        Approvals
      </Link>
      {isPending ? (
        <Loading what="the call" />
      ) : approval === undefined ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <Call key={approval.id} approval={approval} />
      )}
    </article>
  );
}

function Call({ approval }: { approval: Approval }) {
  if (approval.kind !== "execution") return <MetaCall approval={approval} />;
  const { toolId } = approval;
  // A tool that comes with the platform has no versions to look into: its arguments say all.
  return toolId === null ? (
    <ToolCall approval={approval} risks={risksOf(approval, undefined)} />
  ) : (
    <VersionCall approval={approval} toolId={toolId} />
  );
}

type ExecutionCall = Extract<Approval, { kind: "execution" }>;

function VersionCall({ approval, toolId }: { approval: ExecutionCall; toolId: string }) {
  const { toolVersion } = approval;
  const asked = useAskedVersion(toolId, toolVersion);
  const { data: changes } = useChanges(toolId, toolVersion);
  return (
    <ToolCall approval={approval} risks={risksOf(approval, asked.data, changes)}>
      <Reach toolId={toolId} version={toolVersion} asked={asked} />
    </ToolCall>
  );
}

function ToolCall({
  approval,
  risks,
  children,
}: {
  approval: ExecutionCall;
  risks: readonly Risk[];
  children?: ReactNode;
}) {
  const { toolId, toolVersion } = approval;
  return (
    <>
      <Head approval={approval} {...(toolId !== null && { link: { toolId, version: toolVersion } })} />
      <Risks risks={risks} />
      {approval.status === "waiting" ? (
        <AnswerBar approval={approval} />
      ) : (
        <Outcome approval={approval}>
          {approval.status === "allowed" && <FollowedRun executionId={approval.executionId} />}
        </Outcome>
      )}
      <Arguments approval={approval} />
      <Why asking={approval.asking} />
      {children}
      <WhoAsks approval={approval} />
    </>
  );
}

function MetaCall({ approval }: { approval: Extract<Approval, { kind: "meta_tool" }> }) {
  return (
    <>
      <Head approval={approval} />
      <Risks risks={risksOf(approval, undefined)} />
      {approval.status === "waiting" ? (
        <AnswerBar approval={approval} />
      ) : (
        <Outcome approval={approval}>
          {approval.result !== undefined && (
            <Box title="What came of it">
              <JsonTree value={approval.result} />
            </Box>
          )}
          {approval.error !== undefined && approval.status === "allowed" && (
            <Box title={approval.error.code}>
              <Words text={approval.error.detail} />
            </Box>
          )}
        </Outcome>
      )}
      <MetaToolCall approval={approval} />
      <Arguments approval={approval} />
      <WhoAsks approval={approval} />
    </>
  );
}

interface HeadProps {
  approval: Approval;
  /** The stored version that is called. */
  link?: { toolId: string; version: number };
}

function Head({ approval, link }: HeadProps) {
  const { toolName, status, expiresAt } = approval;
  const look = STATUS_LOOKS[status];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <h2 className="min-w-0 font-mono text-lg font-semibold break-words">
        {link === undefined ? (
          <Words text={toolName} />
        ) : (
          <Link to="/tools/$toolId" params={{ toolId: link.toolId }} className="hover:underline">
            <Words text={toolName} />
          </Link>
        )}
      </h2>
      {link !== undefined && <span className="text-sm text-ink-3">version {link.version}</span>}
      <Badge tone={look.tone} hasDot>
        {look.name}
      </Badge>
      {status === "waiting" && (
        <span className="ml-auto text-sm text-ink-2">
          denied automatically in <Countdown until={expiresAt} />
        </span>
      )}
    </div>
  );
}

function Risks({ risks }: { risks: readonly Risk[] }) {
  if (risks.length === 0) return null;
  return (
    <ul aria-label="Look twice" className="-mt-2 flex flex-wrap gap-1.5">
      {risks.map(({ name, tone, about }) => (
        <li key={name + about} title={wordsLine(about)}>
          <Badge tone={tone}>{name}</Badge>
        </li>
      ))}
    </ul>
  );
}

const Arguments = ({ approval: { arguments: args, ...approval } }: { approval: Approval }) => (
  <>
    <Box
      title={Object.keys(args).length === 0 ? "Arguments: none" : "Arguments"}
      aside={
        <>
          {approval.kind === "execution" && approval.status === "waiting" && (
            <ChangeArguments approval={{ ...approval, arguments: args }} />
          )}
          <CopyButton text={JSON.stringify(args, null, 2)} what="the arguments as JSON" />
        </>
      }
    >
      <JsonTree value={args} />
    </Box>
    {approval.kind === "execution" && approval.askedArguments !== undefined && (
      <Box title="The agent had asked for other arguments">
        <JsonTree value={approval.askedArguments} />
      </Box>
    )}
  </>
);

function Outcome({ approval, children }: { approval: Approval; children: ReactNode }) {
  const nameOf = useKeyName();
  const { answeredBy, answeredAt, reason } = approval;
  return (
    <>
      <div role="status" className="rounded-lg bg-calm-soft px-3 py-2 text-sm">
        {endOf(approval)}
        {answeredBy !== undefined && (
          <span className="text-ink-2">
            {" "}
            By <Words text={nameOf(answeredBy)} />
            {answeredAt !== undefined && (
              <>
                , <When at={answeredAt} />
              </>
            )}
            .
          </span>
        )}
        {reason !== undefined && (
          <p className="mt-1 break-words whitespace-pre-wrap">
            Reason: <Words text={reason} />
          </p>
        )}
      </div>
      {children}
    </>
  );
}
