import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { type SeenTool, useSeenTool } from "../../data/builder.ts";
import { kept } from "../../data/kept.ts";
import { useMayWrite } from "../../data/session.ts";
import { useTemplate } from "../../data/templates.ts";
import { LINK } from "../../design/classes.ts";
import { Lock, Plug } from "../../design/icons.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import type { BenchSearch } from "./builder-search.ts";
import { DraftOffer } from "./draft-offer.tsx";
import { BLANK, BLANK_COMMAND, copyOf, type Draft, draftOf, draftOfBody } from "./draft.ts";
import { merged } from "./differences.ts";
import { type Example, exampleOfCall, examplesIn } from "./examples.ts";
import { forgetDraft, type KeptDraft, readDraft } from "./kept-draft.ts";
import { NeedsBundling, Start } from "./start.tsx";
import { Workbench } from "./workbench.tsx";

const newRoute = getRouteApi("/tools/new");
const editRoute = getRouteApi("/tools/$toolId/edit");

/** A tool that is not there yet: begun blank, with a template, or with a tool that is there. */
export function NewTool() {
  const search = newRoute.useSearch();
  const { from, of } = search;
  const mayWrite = useMayWrite();
  const template = useTemplate(from === "template" ? of : undefined);
  const copied = useSeenTool(from === "tool" ? of : undefined);
  if (!mayWrite) return <Forbidden />;
  const key = `${from} ${of}`;
  if (from === undefined) return <Begun key={key} seen={null} base={null} examples={[]} search={search} />;
  if (from === "blank") return <Begun key={key} seen={null} base={BLANK} examples={[]} search={search} />;
  if (from === "command")
    return <Begun key={key} seen={null} base={BLANK_COMMAND} examples={[]} search={search} />;
  const asked = from === "template" ? template : copied;
  if (asked.isPending) return <Loading what="what it begins with" />;
  if (template.data !== undefined) {
    const { tool, name, examples } = template.data;
    if (tool === undefined) return <NeedsBundling name={name} />;
    const calls = examples.map((one) => exampleOfCall(one.name, one.example));
    return <Begun key={key} seen={null} base={draftOfBody(tool)} examples={calls} search={search} />;
  }
  if (copied.data !== undefined) {
    const { tool } = copied.data;
    const base = copyOf(tool);
    return <Begun key={key} seen={null} base={base} examples={examplesIn(base)} search={search} />;
  }
  return <Failed error={asked.error} onRetry={() => void asked.refetch()} />;
}

/** A tool that is there. */
export function EditTool() {
  const { toolId } = editRoute.useParams();
  const search = editRoute.useSearch();
  const mayWrite = useMayWrite();
  const { data: seen, error, isPending, refetch } = useSeenTool(mayWrite ? toolId : undefined);
  if (!mayWrite) return <Forbidden />;
  if (isPending) return <Loading what="the tool" />;
  if (seen === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (seen.tool.mcp !== undefined)
    return (
      <Picture icon={Plug} title="Its MCP server has the code">
        This tool stands for one of an MCP server: it is changed there.{" "}
        <Link to="/tools/$toolId" params={{ toolId }} className={LINK}>
          Back to the tool
        </Link>
      </Picture>
    );
  const base = draftOf(seen.tool);
  return <Begun key={toolId} seen={seen} base={base} examples={examplesIn(base)} search={search} />;
}

const Forbidden = () => (
  <Picture icon={Lock} title="Your key may not write tools">
    Owners and developers of the tenant may.{" "}
    <Link to="/tools" className={LINK}>
      Back to the tools
    </Link>
  </Picture>
);

interface Props {
  seen: SeenTool | null;
  /** Null: how to begin is asked. */
  base: Draft | null;
  examples: readonly Example[];
  search: BenchSearch;
}

/** Begins to write; a draft of before is offered first. */
function Begun({ seen, base, examples, search }: Props) {
  const toolId = seen?.tool.id ?? null;
  const [offered, setOffered] = useState(() => readDraft(kept, toolId, Date.now()));
  const [taken, setTaken] = useState<KeptDraft | null>(null);
  const [dropped, setDropped] = useState<KeptDraft | null>(null);
  if (offered !== null)
    return (
      <DraftOffer
        kept={offered}
        tool={seen?.tool ?? null}
        base={base ?? BLANK}
        onContinue={() => {
          setTaken(offered);
          setOffered(null);
        }}
        onDrop={() => {
          forgetDraft(kept, toolId);
          setDropped(offered);
          setOffered(null);
        }}
      />
    );
  if (taken === null && base === null)
    return <Start dropped={dropped} onBringBack={() => setTaken(dropped)} />;
  const begun = base ?? taken?.base ?? BLANK;
  return (
    <Workbench
      key={taken === null ? "anew" : "on"}
      seen={seen}
      base={taken !== null && seen === null ? taken.base : begun}
      draft={taken === null ? begun : seen === null ? taken.draft : merged(taken.base, taken.draft, begun)}
      examples={examples}
      search={search}
      dropped={taken === null && dropped !== null ? () => setTaken(dropped) : null}
    />
  );
}
