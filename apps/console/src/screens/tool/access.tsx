import type { Tool } from "@bulkhead/client";
import { getRouteApi } from "@tanstack/react-router";
import { useToolAccess } from "../../data/policy.ts";
import { useAskers } from "../../data/agents.ts";
import { Badge } from "../../design/badge.tsx";
import { Select } from "../../design/fields.tsx";
import { Failed, Loading, Skeleton } from "../../design/page-states.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { wordsOf } from "../../data/api.ts";

const route = getRouteApi("/tools/$toolId");

/** Which agents get the tool, each with the rule that says so. */
export function Access({ tool }: { tool: Tool }) {
  const { provider } = route.useSearch();
  const navigate = route.useNavigate();
  const { askers, error, isPending, refetch } = useAskers();
  if (isPending) return <Loading what="who gets it" />;
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  // An agent's own tool is nobody else's.
  const agents = tool.agentId === undefined ? [undefined, ...askers.agents] : [tool.agentId];
  const providers = [...new Set([...askers.providers, ...(provider === undefined ? [] : [provider])])];
  return (
    <div className="flex max-w-4xl flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3 text-sm text-ink-2">
        <p className="min-w-0 flex-1 basis-72">
          The tenant&apos;s policy decides which agents get a tool. To an agent that doesn&apos;t get it, it
          isn&apos;t there.
          {tool.status !== "active" && " This one is not active, so nobody can call it for now."}
        </p>
        {providers.length > 0 && (
          <Select
            aria-label="Provider of the model that asks"
            value={provider ?? ""}
            onChange={({ target }) =>
              void navigate({
                search: (now) => ({ ...now, provider: target.value || undefined }) as typeof now,
                replace: true,
              })
            }
          >
            <option value="">Any provider</option>
            {providers.map((one) => (
              <option key={one} value={one}>
                {wordsLine(one)}
              </option>
            ))}
          </Select>
        )}
      </div>
      <ul
        aria-label="Agents"
        className="divide-y divide-line rounded-lg border border-line bg-surface px-3.5"
      >
        {agents.map((agentId) => (
          <Asker key={agentId ?? ""} tool={tool} agentId={agentId} provider={provider} />
        ))}
      </ul>
    </div>
  );
}

interface AskerProps {
  tool: Tool;
  /** Undefined: an agent that the policy doesn't name. */
  agentId: string | undefined;
  provider: string | undefined;
}

function Asker({ tool, agentId, provider }: AskerProps) {
  const { data: explained, error, isPending } = useToolAccess(tool.name, agentId, provider);
  const isGiven = explained?.allowed === true;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-sm">
      <span className="w-44 min-w-0 font-medium break-words">
        {agentId === undefined ? "Any other agent" : <Words text={agentId} />}
      </span>
      {isPending ? (
        <Skeleton className="h-5 w-40" />
      ) : (
        <>
          {error === null && (
            <span className="flex w-32">
              <Badge tone={isGiven ? "good" : "bad"} hasDot>
                {isGiven ? "Gets it" : "Doesn't get it"}
              </Badge>
            </span>
          )}
          <span className={error === null ? "min-w-0 flex-1 basis-60 text-ink-2" : "min-w-0 flex-1 text-bad"}>
            <Words
              text={
                error === null ? (explained?.why ?? "It is not among the agent's tools.") : wordsOf(error)
              }
            />
          </span>
        </>
      )}
    </li>
  );
}
