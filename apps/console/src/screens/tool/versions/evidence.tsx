import type { ToolVersionEvidence, ToolVersionSummary } from "@bulkhead/client";
import type { ReactNode } from "react";
import { useEvidence } from "../../../data/versions.ts";
import { Failed, Loading } from "../../../design/page-states.tsx";
import { Facts, Part } from "../../../design/part.tsx";
import { When } from "../../../design/when.tsx";
import { Words } from "../../../design/words.tsx";
import { DryRunFacts } from "../test/dry-run-view.tsx";
import { limitFacts } from "../tool-facts.ts";
import { grownWords } from "./grown-words.ts";

/** What a person decides by: what the version may do, what of it is new, and how its dry runs went. */
export function Evidence({ toolId, version }: { toolId: string; version: ToolVersionSummary }) {
  const { data: evidence, error, isPending, refetch } = useEvidence(toolId, version.version);
  if (isPending) return <Loading what="what it may do" />;
  if (evidence === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  const { grown, dryRuns, running } = evidence;
  return (
    <>
      {grown.length > 0 && (
        <section aria-label="What it can do more" className="rounded-lg bg-warn-soft px-4 py-3">
          <h3 className="text-sm font-semibold">What it can do more</h3>
          <ul className="mt-1 list-disc pl-5 text-sm">
            {grown.map((one) => (
              <li key={`${one.kind} ${one.target}`} className="break-words">
                <Words text={grownWords(one)} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <details open={version.state === "pending"} className="group">
        <summary className="cursor-pointer text-sm font-semibold">
          What it may do, and who asked for it
        </summary>
        <div className="mt-3 grid items-start gap-6 md:grid-cols-2">
          <Facts facts={capabilityFacts(evidence)} />
          <Facts facts={limitFacts(evidence.capabilities.limits)} />
        </div>
      </details>
      {(dryRuns.length > 0 || running) && (
        <Part title={running ? "Dry runs; one goes on" : "Dry runs"}>
          <div className="flex flex-col gap-3">
            {dryRuns.map((run) => (
              <details
                key={run.executionId}
                open={version.state === "pending"}
                className="rounded-lg border border-line bg-ground p-3"
              >
                <summary className="cursor-pointer text-sm">
                  <When at={run.createdAt} />, {run.status.replaceAll("_", " ")},{" "}
                  {effectsInWords(run.effects.length)}
                </summary>
                <div className="mt-3 flex flex-col gap-3">
                  <DryRunFacts run={run} />
                </div>
              </details>
            ))}
          </div>
        </Part>
      )}
    </>
  );
}

const effectsInWords = (count: number): string =>
  count === 0
    ? "it reached for nothing"
    : count === 1
      ? "it reached for 1 thing"
      : `it reached for ${count} things`;

/** Names of strangers', or what stands in their place. */
const list = (names: readonly string[] | null, any: string): ReactNode =>
  names === null ? <span className="text-warn">{any}</span> : <Words text={names.join(", ") || "none"} />;

function capabilityFacts(evidence: ToolVersionEvidence): [name: string, value: ReactNode][] {
  const { capabilities, revealedServices, packages, requestedBy, requestedAt, decidedAt, decidedBy } =
    evidence;
  const { permissions, hosts, services, tools } = capabilities;
  const facts: [name: string, value: ReactNode][] = [
    ["Permissions", permissions.join(", ") || "none"],
    ["Hosts", permissions.includes("network") ? list(hosts, "any public host") : "none"],
    ["Services", list(services, "any")],
    ["Calls the tools", list(tools, "any")],
  ];
  if (revealedServices.length > 0)
    facts.push(["Sees the secrets of", <span className="text-bad">{list(revealedServices, "any")}</span>]);
  if (packages.length > 0)
    facts.push([
      "Packages in it",
      list(
        packages.map(({ name, version }) => `${name} ${version}`),
        "any",
      ),
    ]);
  if (requestedBy !== undefined) {
    const { agentId, keyId } = requestedBy;
    facts.push([
      "Asked for by",
      <Words text={agentId === undefined ? `key ${keyId}` : `agent ${agentId}`} />,
    ]);
  }
  if (requestedAt !== undefined) facts.push(["Asked", <When at={requestedAt} />]);
  if (decidedAt !== undefined) facts.push(["Decided", <When at={decidedAt} />]);
  if (decidedBy !== undefined) facts.push(["Decided by", <Words text={`key ${decidedBy}`} />]);
  return facts;
}
