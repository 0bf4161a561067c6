import { getRouteApi, Link } from "@tanstack/react-router";
import { useDefinitions } from "../../data/agents.ts";
import { usePolicy } from "../../data/policy.ts";
import { CodeBlock } from "../../design/code-block.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Select, Toggle } from "../../design/fields.tsx";
import { SearchX, Wrench } from "../../design/icons.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { SearchWords } from "../../design/search-words.tsx";
import { type Column, ROW_LINK, Table } from "../../design/table.tsx";
import { Words } from "../../design/words.tsx";
import { count } from "../../format/numbers.ts";
import { AskerFields } from "../policy/asker-fields.tsx";
import {
  type AgentSearch,
  type Definition,
  FORMAT_NAMES,
  FORMATS,
  readDefinition,
  STRICT_FORMATS,
  tokensOf,
} from "./definition.ts";

const route = getRouteApi("/agents/one");
const WORDS_CHARS_MAX = 160;
type Change = (next: { [Name in keyof AgentSearch]?: AgentSearch[Name] | undefined }) => void;

/** The tools as a model of this agent gets them, with about how much it has to read. */
export function Definitions() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const document = usePolicy().data?.document;
  const change: Change = (next) =>
    void navigate({ search: (before) => ({ ...before, ...next }) as AgentSearch, replace: true });
  const known = {
    provider: Object.keys(document?.byProvider ?? {}),
    group: Object.keys(document?.groupAllow ?? {}),
  };
  return (
    <div className="flex flex-col gap-3">
      <Choices search={search} change={change} />
      <AskerFields search={search} known={known} isAgentFixed change={change} />
      <Found search={search} change={change} />
    </div>
  );
}

const Choices = ({ search, change }: { search: AgentSearch; change: Change }) => (
  <div className="flex flex-wrap items-center gap-2">
    <SearchWords
      label="Search definitions"
      placeholder="Search definitions"
      words={search.q ?? ""}
      charsMax={WORDS_CHARS_MAX}
      change={(q) => change({ q })}
    />
    <Select
      aria-label="Kind"
      value={search.kind ?? ""}
      onChange={({ target }) => change({ kind: target.value === "meta" ? "meta" : undefined })}
    >
      <option value="">Tools</option>
      <option value="meta">Meta-tools</option>
    </Select>
    <Select
      aria-label="Format"
      value={search.format ?? ""}
      onChange={({ target }) => change({ format: FORMAT_NAMES.find((name) => name === target.value) })}
    >
      <option value="">Bulkhead's own</option>
      {FORMAT_NAMES.map((name) => (
        <option key={name} value={name}>
          {FORMATS[name]}
        </option>
      ))}
    </Select>
    {STRICT_FORMATS.includes(search.format) && search.format !== undefined && (
      <Toggle
        label="Strict"
        isOn={search.strict === true}
        onTurn={(isOn) => change({ strict: isOn ? true : undefined })}
      />
    )}
  </div>
);

function Found({ search, change }: { search: AgentSearch; change: Change }) {
  const { agent, provider, group, user, depth = 0, kind, format, strict, q = "", tool } = search;
  const { data, error, isPending, refetch } = useDefinitions(kind ?? "tools", {
    // A depth says that an agent asks, also one without an id: the policy does not speak of people.
    agentId: agent,
    provider,
    group,
    userId: user,
    subagentDepth: depth,
    format,
    strict: strict === true ? "true" : undefined,
  });
  if (isPending) return <Loading what="the definitions" />;
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  const all = data.tools.map(readDefinition);
  const words = q.toLowerCase();
  const shown = all.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(words));
  const open = all.find(({ name }) => name === tool);
  if (all.length === 0)
    return (
      <Picture icon={Wrench} title="It sees no tool">
        Nothing is active, or the policy takes everything. The policy says of each tool why.
      </Picture>
    );
  return (
    <>
      <p className="text-sm" role="status">
        <strong>{count(all.length)}</strong> definitions, about <strong>{count(tokensOf(all))}</strong> tokens
        <span className="text-ink-3"> (an estimate: four characters of JSON are one)</span>
        {data.omitted !== undefined && (
          <span className="text-warn">
            {" "}
            {count(data.omitted)} older tools are left out, since all together are too large.
          </span>
        )}
      </p>
      {shown.length === 0 ? (
        <Picture icon={SearchX} title="No definition is like that">
          Nothing matches these words.
        </Picture>
      ) : (
        <Table
          label="Definitions"
          columns={COLUMNS}
          rows={shown}
          keyOf={({ name }) => name}
          isSelected={({ name }) => name === tool}
        />
      )}
      {open !== undefined && (
        <Dialog title={<Words text={open.name} />} place="side" onClose={() => change({ tool: undefined })}>
          <p className="mb-3 text-sm text-ink-2">
            As the model gets it, about {count(open.tokens)} tokens of its context.
          </p>
          <CodeBlock label="Definition" text={JSON.stringify(open.whole, null, 2)} />
        </Dialog>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Definition>[] = [
  {
    name: "Name",
    width: "minmax(8rem, 1fr)",
    cell: ({ name }) => (
      <Link
        from="/agents/one"
        to="."
        search={(before) => ({ ...before, tool: name })}
        replace
        resetScroll={false}
        {...ROW_LINK}
      >
        <span className="font-mono">
          <Words text={name} />
        </span>
      </Link>
    ),
  },
  {
    name: "Description",
    width: "minmax(10rem, 2fr)",
    from: "md",
    cell: ({ description }) => (
      <span className="text-ink-2">
        <Words text={description} />
      </span>
    ),
  },
  { name: "Tokens", width: "4.5rem", isNumber: true, cell: ({ tokens }) => count(tokens) },
];
