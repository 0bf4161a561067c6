import type { ExplainToolAnswer, Tool } from "@bulkhead/client";
import { getRouteApi } from "@tanstack/react-router";
import { usePolicy, useToolAccess } from "../../data/policy.ts";
import { Badge } from "../../design/badge.tsx";
import { Select } from "../../design/fields.tsx";
import { Failed, Loading } from "../../design/page-states.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { providersOf } from "./tool-facts.ts";

const route = getRouteApi("/tools/$toolId");

/** Which agents get the tool, each with the rule that says so. */
export function Access({ tool }: { tool: Tool }) {
  const { provider } = route.useSearch();
  const navigate = route.useNavigate();
  const known = providersOf(usePolicy().data?.document ?? {});
  const { data: explained, error, isPending, refetch } = useToolAccess(tool.id, provider);
  if (isPending) return <Loading what="who gets it" />;
  if (explained === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  const providers = [...new Set([...known, ...(provider === undefined ? [] : [provider])])];
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
        {explained.agents.map((asker) => (
          <Asker key={asker.agentId ?? ""} asker={asker} />
        ))}
      </ul>
    </div>
  );
}

/** An agent; without an id: any that the policy and keys don't name. */
const Asker = ({ asker: { agentId, allowed, why } }: { asker: ExplainToolAnswer["agents"][number] }) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-sm">
    <span className="w-44 min-w-0 font-medium break-words">
      {agentId === undefined ? "Any other agent" : <Words text={agentId} />}
    </span>
    <span className="flex w-32">
      <Badge tone={allowed ? "good" : "bad"} hasDot>
        {allowed ? "Gets it" : "Doesn't get it"}
      </Badge>
    </span>
    <span className="min-w-0 flex-1 basis-60 text-ink-2">
      <Words text={why} />
    </span>
  </li>
);
