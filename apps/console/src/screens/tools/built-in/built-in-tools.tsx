import type { BuiltInTool } from "@bulkhead/client";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMayRun } from "../../../data/session.ts";
import { useBuiltInTools } from "../../../data/tools.ts";
import { Badge } from "../../../design/badge.tsx";
import { LINK } from "../../../design/classes.ts";
import { Dialog } from "../../../design/dialog.tsx";
import { SearchX } from "../../../design/icons.tsx";
import { PageHead } from "../../../design/page-head.tsx";
import { Failed, Loading, Picture } from "../../../design/page-states.tsx";
import { Part } from "../../../design/part.tsx";
import { SearchWords } from "../../../design/search-words.tsx";
import { ROW_LINK } from "../../../design/table.tsx";
import { Words } from "../../../design/words.tsx";
import { BuiltInRun } from "./built-in-run.tsx";
import { type BuiltInSearch, groupsOf, WORDS_CHARS_MAX } from "./built-in-search.ts";

const route = getRouteApi("/tools/built-in");

/** The tools that come with the platform: what each needs, who may call it, whether it works here; one can be run. */
export function BuiltInTools() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: tools, error, isPending, refetch } = useBuiltInTools();
  const change = (next: { [Name in keyof BuiltInSearch]?: BuiltInSearch[Name] | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...next }) as BuiltInSearch, replace: true });
  const open = tools?.find(({ name }) => name === search.tool);
  return (
    <>
      <PageHead title="Built-in tools" back={{ to: "/tools", name: "Tools" }}>
        <p className="-mt-2 mb-4 max-w-3xl text-ink-2">
          They come with the platform. Agents get those that their{" "}
          <Link to="/policy" className={LINK}>
            policy
          </Link>{" "}
          names, by name or by group; a tool of yours calls one by <code>utils.callTool</code> if it has the
          permission.
        </p>
      </PageHead>
      {isPending ? (
        <Loading what="the built-in tools" />
      ) : tools === undefined ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="flex flex-col gap-5 p-4 md:px-6">
          <SearchWords
            label="Search the built-in tools"
            placeholder="Search by name, group or description"
            words={search.q ?? ""}
            charsMax={WORDS_CHARS_MAX}
            change={(q) => change({ q })}
          />
          <Groups tools={tools} search={search} />
        </div>
      )}
      {open !== undefined && (
        <Dialog title={open.title} place="side" onClose={() => change({ tool: undefined })}>
          <OneTool tool={open} />
        </Dialog>
      )}
    </>
  );
}

function Groups({ tools, search }: { tools: readonly BuiltInTool[]; search: BuiltInSearch }) {
  const groups = groupsOf(tools, search.q);
  if (groups.length === 0)
    return (
      <Picture icon={SearchX} title="No built-in tool is like that">
        Nothing matches these words.
      </Picture>
    );
  return groups.map(([group, those]) => (
    <Part key={group} title={`group:${group}`}>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface text-sm">
        {those.map((tool) => (
          <li
            key={tool.name}
            className="relative flex flex-wrap items-baseline gap-x-3 gap-y-1 px-3 py-2 hover:bg-hover"
          >
            <Link
              to="/tools/built-in"
              search={{ ...search, tool: tool.name }}
              {...ROW_LINK}
              className={`${ROW_LINK.className} w-40 font-mono`}
            >
              {tool.name}
            </Link>
            <span className="min-w-0 flex-1 basis-72 text-ink-2">
              <Words text={firstSentence(tool.description)} />
            </span>
            <Needs tool={tool} />
          </li>
        ))}
      </ul>
    </Part>
  ));
}

const firstSentence = (text: string): string => /^.*?[.!?](?=\s+\p{Lu}|\s*$)/su.exec(text)?.[0] ?? text;

const Needs = ({ tool: { permission, letBy, engine } }: { tool: BuiltInTool }) => (
  <span className="flex flex-wrap gap-1.5">
    {permission !== null && <Badge tone="calm">{permission}</Badge>}
    {letBy === "name" && <Badge tone="warn">by name alone</Badge>}
    {!engine.available && <Badge tone="bad">not here</Badge>}
  </span>
);

function OneTool({ tool }: { tool: BuiltInTool }) {
  const { name, description, group, permission, letBy, onlyForKeys, engine } = tool;
  const mayRun = useMayRun();
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm whitespace-pre-wrap text-ink-2">
        <Words text={description} />
      </p>
      <ul className="list-disc pl-5 text-sm">
        <li>
          Its name is <code>{name}</code>, in the policy&apos;s group <code>group:{group}</code>.
        </li>
        <li>
          {onlyForKeys !== undefined ? (
            `It runs by a key's own call alone, with the role ${onlyForKeys.join(" or ")}; no tool of yours may call it.`
          ) : permission === null ? (
            "Every tool of yours may call it."
          ) : (
            <>
              A tool of yours calls it with the permission <code>{permission}</code>.
            </>
          )}
        </li>
        <li>
          {letBy === "policy"
            ? "An agent calls it where its policy has it."
            : "An agent calls it only where the tenant's approval settings name it."}
        </li>
      </ul>
      {engine.available ? (
        mayRun && <BuiltInRun key={name} tool={tool} />
      ) : (
        <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-sm">
          <Words text={engine.missing ?? "It does not work in this deployment."} />
        </p>
      )}
    </div>
  );
}
