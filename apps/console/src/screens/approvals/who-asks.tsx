import type { Approval } from "@bulkhead/client";
import type { ReactNode } from "react";
import { useKeyName } from "../../data/key-names.ts";
import { Facts, Part } from "../../design/part.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { CONTEXT_NAMES, CONTEXT_WORDS } from "../../run/context-words.ts";

/** Who asks, since when, and for whom. */
export function WhoAsks({ approval }: { approval: Approval }) {
  const nameOf = useKeyName();
  const { agentId, requestedBy, createdAt, expiresAt, context, id } = approval;
  const facts: [name: string, value: ReactNode][] = [
    ["Agent", agentId === undefined ? "not named" : <Words text={agentId} />],
    ["Key", <Words text={nameOf(requestedBy)} />],
  ];
  for (const name of CONTEXT_NAMES) {
    const value = context[name];
    // The agent, which stands above, is the one that the key says.
    if (name !== "agentId" && (typeof value === "string" || typeof value === "number"))
      facts.push([CONTEXT_WORDS[name], <Words text={String(value)} />]);
  }
  facts.push(["Asked", <When at={createdAt} />], ["Expires", <When at={expiresAt} />]);
  if (approval.kind === "execution") {
    facts.push(["Execution", <span className="font-mono text-xs">{approval.executionId}</span>]);
    if (approval.callback !== undefined)
      facts.push(["Its end is sent to", <Words text={approval.callback.url} />]);
  }
  facts.push(["Approval", <span className="font-mono text-xs">{id}</span>]);
  return (
    <Part title="Who asks">
      <Facts facts={facts} />
    </Part>
  );
}

type Asking = Extract<Approval, { kind: "execution" }>["asking"];

/** Why a person is asked. */
export const Why = ({ asking }: { asking: Asking }) => (
  <Part title="Why you are asked">
    <p className="text-sm break-words whitespace-pre-wrap text-ink-2">
      {asking === undefined &&
        "The settings of the tool or of the tenant have a person asked about such calls."}
      {asking?.because === "answered" && "The tool's own code says that a person has to allow this call."}
      {asking?.because === "failed" && "The tool's own code should have said whether to ask, and failed."}
      {asking?.message !== undefined && (
        <>
          {" "}
          It says: <Words text={asking.message} />
        </>
      )}
    </p>
  </Part>
);
