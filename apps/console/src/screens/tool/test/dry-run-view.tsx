import { wordsOf } from "../../../data/api.ts";
import type { DryRun } from "../../../data/dry-run.ts";
import { Badge } from "../../../design/badge.tsx";
import { CodeBlock } from "../../../design/code-block.tsx";
import { JsonTree } from "../../../design/json-tree.tsx";
import { Box } from "../../../design/part.tsx";
import { Words } from "../../../design/words.tsx";
import { STATUS_LOOKS } from "../../../run/execution-words.ts";

interface Props {
  run: DryRun | undefined;
  error: Error | null;
  isPending: boolean;
}

/** How a dry run went, and what it would have reached. */
export function DryRunView({ run, error, isPending }: Props) {
  if (isPending)
    return (
      <p role="status" className="text-sm text-ink-2">
        The tool runs, with every effect refused…
      </p>
    );
  if (error !== null)
    return (
      <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-sm">
        <Words text={wordsOf(error)} />
      </p>
    );
  if (run === undefined) return null;
  return (
    <section aria-label="The dry run" className="flex min-w-0 flex-col gap-4">
      <DryRunFacts run={run} />
    </section>
  );
}

const NOT_RUN = { name: "Not run", tone: "calm" } as const;

/** What a dry run reached for. */
const EFFECT_WORDS: Readonly<Record<DryRun["effects"][number]["kind"], string>> = {
  fetch: "Request",
  call_tool: "Tool",
  capability: "Files, data",
  list_tools: "List of tools",
  service: "Service's keys",
};

/** How the target of a command begins; the line stands behind it, cut where it is long. */
const COMMAND = "shell.exec ";

/** The line that a tool's own command would run, which is then its result. */
const lineOf = ({ effects, result }: DryRun): string | null =>
  typeof result === "string" &&
  effects.some(
    ({ kind, target }) =>
      kind === "capability" && target.startsWith(COMMAND) && result.startsWith(target.slice(COMMAND.length)),
  )
    ? result
    : null;

/** One dry run: its end, what it reached for, what it gave. */
export function DryRunFacts({ run }: { run: DryRun }) {
  const line = lineOf(run);
  const { name, tone } = run.status === "not_run" ? NOT_RUN : STATUS_LOOKS[run.status];
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Badge tone={tone} hasDot>
          {name}
        </Badge>
        <span className="text-sm text-ink-2">
          {run.generated
            ? "A dry run with arguments made from the schema."
            : "A dry run: all effects were refused."}
        </span>
      </div>
      <Box title="What it reached for">
        {run.effects.length === 0 ? (
          <p className="text-sm text-ink-3">Nothing outside the sandbox.</p>
        ) : (
          <ul className="flex flex-col gap-1 text-sm">
            {run.effects.map(({ kind, target }) => (
              <li key={`${kind} ${target}`} className="flex flex-wrap gap-x-3">
                <span className="w-28 shrink-0 text-ink-2">
                  {kind === "capability" && target.startsWith(COMMAND) ? "Command" : EFFECT_WORDS[kind]}
                </span>
                <span className="min-w-0 font-mono break-all">
                  <Words text={target} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Box>
      {run.error !== undefined && (
        <Box title={run.error.code}>
          <p className="text-sm break-words whitespace-pre-wrap">
            <Words text={run.error.message} />
          </p>
        </Box>
      )}
      {run.status === "succeeded" && line !== null && (
        <Box title="The line that would run">
          <CodeBlock text={line} label="The line that would run" />
        </Box>
      )}
      {run.status === "succeeded" && line === null && (
        <Box title={run.truncated === true ? "The start of the result" : "Result"}>
          <JsonTree value={run.result ?? null} />
        </Box>
      )}
    </>
  );
}
