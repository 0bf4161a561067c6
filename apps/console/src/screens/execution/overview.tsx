import { BulkheadError, type Execution } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import { wordsOf } from "../../data/api.ts";
import { LINK } from "../../design/classes.ts";
import { Part } from "../../design/part.tsx";
import { Words } from "../../design/words.tsx";
import { shownError } from "../../run/error-words.ts";
import { ExecutionFacts } from "./execution-facts.tsx";
import { Payload } from "./payload.tsx";
import { Waterfall } from "./waterfall.tsx";

/** Why it failed, where its time went, what it gave and was given, and its facts beside. */
export const Overview = ({ execution }: { execution: Execution }) => (
  <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_19rem]">
    <div className="flex min-w-0 flex-col gap-6">
      <Fault execution={execution} />
      <Approval execution={execution} />
      <Part title="Where the time went">
        <Waterfall execution={execution} />
      </Part>
      {execution.finishedAt !== undefined && !execution.isError && (
        <Payload execution={execution} kind="result" />
      )}
      <Payload execution={execution} kind="arguments" />
    </div>
    <Part title="Facts">
      <ExecutionFacts execution={execution} />
    </Part>
  </div>
);

function Fault({ execution: { error } }: { execution: Execution }) {
  if (error === undefined) return null;
  const { code, title, next } = shownError(error);
  return (
    <section aria-label="Why it failed" className="rounded-lg border border-line bg-bad-soft px-4 py-3">
      <h2 className="flex flex-wrap items-baseline gap-x-3 font-semibold">
        {title} <code className="font-mono text-xs font-normal text-ink-2">{code}</code>
      </h2>
      <p
        className="my-2 max-h-60 overflow-auto font-mono text-sm break-words whitespace-pre-wrap"
        tabIndex={0}
      >
        <Words text={error.message} />
      </p>
      <p className="text-sm text-ink-2">{next}</p>
    </section>
  );
}

function Approval({ execution: { id, approval } }: { execution: Execution }) {
  if (approval === undefined) return null;
  const { answer, answeredBy, reason, asking } = approval;
  const said = {
    allow_once: "A person allowed it once",
    allow_always: "A person allowed it, and others like it",
    deny: "A person denied it",
    expire: "Nobody answered in time",
  };
  return (
    <section aria-label="Approval" className="rounded-lg border border-line bg-surface px-4 py-3 text-sm">
      <p className="font-medium">
        {answer === undefined ? "It waits for a person to allow it" : said[answer]}
      </p>
      <p className="text-ink-2">
        {asking === undefined ? "The tenant's settings ask for it." : "The tool's own code asked for it."}
        {asking?.message !== undefined && (
          <>
            {" "}
            <Words text={asking.message} />
          </>
        )}
        {answeredBy !== undefined && (
          <>
            {" "}
            Answered with the key <code className="font-mono text-xs">{answeredBy}</code>.
          </>
        )}
        {reason !== undefined && (
          <>
            {" "}
            Reason: <Words text={reason} />
          </>
        )}
      </p>
      <Link to="/approvals/$approvalId" params={{ approvalId: id }} className={LINK}>
        {answer === undefined ? "Look at it and answer" : "Look at the question"}
      </Link>
    </section>
  );
}

/** What a refused request says, field by field where the server names them. */
export const FaultWords = ({ error }: { error: unknown }) => (
  <div role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-sm break-words">
    <Words text={wordsOf(error)} />
    {error instanceof BulkheadError && error.errors.length > 0 && (
      <ul className="mt-1 list-disc pl-4">
        {error.errors.map(({ path, message }) => (
          <li key={path + message}>
            <code className="font-mono text-xs">
              <Words text={path} />
            </code>{" "}
            <Words text={message} />
          </li>
        ))}
      </ul>
    )}
  </div>
);
