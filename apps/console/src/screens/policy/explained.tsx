import type { ExplainPolicyAnswer, PolicyDocumentInput } from "@bulkhead/client";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useAgentIds } from "../../data/agents.ts";
import { useExplained, usePolicy } from "../../data/policy.ts";
import { Refusal, Select } from "../../design/fields.tsx";
import { SearchX } from "../../design/icons.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { Part } from "../../design/part.tsx";
import { SearchWords } from "../../design/search-words.tsx";
import { Words } from "../../design/words.tsx";
import { count } from "../../format/numbers.ts";
import { AskerFields } from "./asker-fields.tsx";
import { ExplainedTable } from "./explained-table.tsx";
import { shownOf } from "./explained-rows.ts";
import { faultsIn, type Remark } from "./policy-draft.ts";
import { askerOf, type PolicySearch, SHOW_NAMES, SHOWS } from "./policy-search.ts";

const route = getRouteApi("/policy");
/** The server is asked about a draft once nobody has typed for so long. */
const TYPED_MS = 350;
const WORDS_CHARS_MAX = 160;

interface Props {
  /** What is not saved yet, where it is a document. */
  document: PolicyDocumentInput | null;
  isDraft: boolean;
  onFaults: (faults: readonly Remark[]) => void;
}

/** Each tool as an asker gets it, with the list that had the last word; and what a draft would change. */
export function Explained({ document, isDraft, onFaults }: Props) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: { [Name in keyof PolicySearch]?: PolicySearch[Name] | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...next }) as PolicySearch, replace: true });
  const draft = useSettled(document);
  const explained = useExplained(askerOf(search), draft ?? undefined);
  const faults = draft === null ? [] : faultsIn(explained.error);
  const said = JSON.stringify(faults);
  useEffect(() => onFaults(JSON.parse(said) as Remark[]), [said, onFaults]);
  const known = useKnown();
  return (
    <Part title="Who gets what">
      <div className="flex flex-col gap-3">
        <AskerFields search={search} known={known} change={change} />
        {explained.isPending ? (
          <Loading what="what the agents get" />
        ) : faults.length > 0 ? (
          <p className="rounded-md bg-warn-soft px-3 py-2 text-sm">
            The draft can't be taken as it is, so nobody can say what it would change. Mend what is marked
            above.
          </p>
        ) : explained.data === undefined ? (
          <Failed error={explained.error} onRetry={() => void explained.refetch()} />
        ) : (
          <>
            <Refusal error={explained.error} />
            <Summary answer={explained.data} isDraft={isDraft} asker={askerWords(search)} />
            <div className="flex flex-wrap gap-2">
              <SearchWords
                label="Search tools"
                placeholder="Search tools"
                words={search.q ?? ""}
                charsMax={WORDS_CHARS_MAX}
                change={(q) => change({ q })}
              />
              <Select
                aria-label="Show"
                value={search.show ?? ""}
                onChange={({ target }) => change({ show: SHOW_NAMES.find((name) => name === target.value) })}
              >
                <option value="">All tools</option>
                {SHOW_NAMES.map((name) => (
                  <option key={name} value={name}>
                    {SHOWS[name]}
                  </option>
                ))}
              </Select>
            </div>
            <Found answer={explained.data} search={search} change={change} />
          </>
        )}
      </div>
    </Part>
  );
}

interface FoundProps {
  answer: ExplainPolicyAnswer;
  search: PolicySearch;
  change: (next: { tool: undefined }) => void;
}

function Found({ answer, search, change }: FoundProps) {
  const tools = shownOf(answer.tools, search);
  if (tools.length === 0)
    return (
      <Picture icon={SearchX} title="No tool is like that">
        {search.show === "changed"
          ? "What is written changes nothing for this asker."
          : "Nothing matches these words."}
      </Picture>
    );
  return <ExplainedTable tools={tools} open={search.tool} onClose={() => change({ tool: undefined })} />;
}

interface SummaryProps {
  answer: ExplainPolicyAnswer;
  isDraft: boolean;
  /** Who it is about, in words. */
  asker: string;
}

const askerWords = (search: PolicySearch): string =>
  Object.keys(askerOf(search)).length === 0 ? "an agent that says nothing of itself" : "this asker";

function Summary({ answer, isDraft, asker }: SummaryProps) {
  const { allowed, count: all, changes, warnings, tools } = answer;
  return (
    <p className="text-sm" role="status">
      <strong>{count(allowed)}</strong> of {count(all)} tools are in for {asker}.
      {tools.length < all && ` The first ${count(tools.length)} are shown.`}
      {isDraft && changes !== undefined && (
        <>
          {" "}
          {changes.given + changes.taken === 0 ? (
            "Saving what is written changes nothing for it."
          ) : (
            <>
              Saving gives it <strong className="text-good">{count(changes.given)}</strong> and takes{" "}
              <strong className="text-bad">{count(changes.taken)}</strong>.
            </>
          )}
        </>
      )}
      {isDraft && warnings !== undefined && (
        <span className="text-warn">
          {" "}
          <Words text={warnings.map(({ path, message }) => `${path}: ${message}.`).join(" ")} />
        </span>
      )}
    </p>
  );
}

/** Names to choose from: of keys' agents, and of all that the document speaks of. */
function useKnown() {
  const agent = useAgentIds();
  const document = usePolicy().data?.document;
  return {
    agent,
    provider: Object.keys(document?.byProvider ?? {}),
    group: Object.keys(document?.groupAllow ?? {}),
  };
}

/** The value once it has stayed the same for a while; nothing is known of it before. */
function useSettled<T>(value: T): T {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as T;
}
