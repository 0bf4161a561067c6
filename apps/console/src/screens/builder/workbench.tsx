import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { isConflict, wordsOf } from "../../data/api.ts";
import { readTool, type SeenTool, useSaveTool } from "../../data/builder.ts";
import { notify } from "../../design/notices.tsx";
import type { Bench } from "./bench.ts";
import type { BenchSearch, BenchTab } from "./builder-search.ts";
import { showing } from "./builder-search.ts";
import { ToolConflict } from "./conflict.tsx";
import { createBody, type Draft, draftOf, updateBody } from "./draft.ts";
import type { Example } from "./examples.ts";
import { Frame } from "./frame.tsx";
import { Head } from "./head.tsx";
import { Leaving } from "./leaving.tsx";
import { faultsOf, inCommand, type Problem, tabOf } from "./problems.ts";
import { SavedBar } from "./saved-bar.tsx";
import { useDraft } from "./use-draft.ts";
import { useCommand } from "./use-keys.ts";
import { useProblems } from "./use-problems.ts";

interface Props {
  /** The tool as it is; null: it is a new one. */
  seen: SeenTool | null;
  base: Draft;
  draft: Draft;
  examples: readonly Example[];
  search: BenchSearch;
  /** Takes back the draft that was dropped as the page opened; null: none was. */
  dropped: (() => void) | null;
}

/** A tool that is written: what it says, what is wrong with it, how it runs; saved when somebody says so. */
export function Workbench({ seen: begun, base, draft: first, examples, search, dropped }: Props) {
  const navigate = useNavigate();
  const [seen, setSeen] = useState(begun);
  const written = useDraft({
    toolId: seen?.tool.id ?? null,
    version: seen?.tool.version ?? null,
    base,
    draft: first,
  });
  const { draft, isDirty } = written;
  const checked = useProblems(draft, seen?.tool.name ?? null);
  const [refused, setRefused] = useState<{ draft: Draft; problems: readonly Problem[] } | null>(null);
  const [parametersFault, setParametersFault] = useState<string | undefined>();
  const [outputFault, setOutputFault] = useState<string | undefined>();
  const schemaFault = parametersFault ?? outputFault;
  const [theirs, setTheirs] = useState<SeenTool | null>(null);
  const saving = useSaveTool();
  /** At once, where `saving` tells it only once the page is drawn anew: two saves in a row would be a conflict with oneself. */
  const isUnderWay = useRef(false);
  // Takes away what told of a refusal.
  const unsaid = useRef<() => void>(undefined);

  // What a refusal said holds until something is changed; from then on the checks say more.
  const problems =
    refused?.draft === draft ? [...refused.problems, ...warningsOf(checked.problems)] : checked.problems;
  const bench: Bench = { draft, base: written.base, isThere: seen !== null, set: written.set, problems };

  const show = (tab: BenchTab): void =>
    void navigate({
      to: ".",
      search: ((before: object) => ({ ...before, ...showing(tab) })) as never,
      replace: true,
    });

  function stored(now: SeenTool, sent: Draft): void {
    setRefused(null);
    unsaid.current?.();
    if (seen === null) {
      written.finish(now.tool, sent);
      const params = { toolId: now.tool.id };
      const next = { ...search, from: undefined, of: undefined, saved: true };
      void navigate({
        to: "/tools/$toolId/edit",
        params,
        search: next as BenchSearch,
        replace: true,
        ignoreBlocker: true,
      });
      return;
    }
    setSeen(now);
    written.rebase(draftOf(now.tool), now.tool.version, sent);
    void navigate({
      to: ".",
      search: ((before: object) => ({ ...before, saved: true })) as never,
      replace: true,
    });
  }

  async function showTheirs(id: string): Promise<void> {
    try {
      setTheirs(await readTool(id));
    } catch (error) {
      notify("bad", `Somebody else has changed the tool, and it could not be read. ${wordsOf(error)}`);
    }
  }

  function refuse(error: unknown): void {
    if (isConflict(error) && seen !== null) return void showTheirs(seen.tool.id);
    const found = faultsOf(error as Parameters<typeof faultsOf>[0] & Error).map((problem) =>
      inCommand(draft.command ?? "", problem),
    );
    setRefused({ draft, problems: found });
    const [problem] = found;
    if (problem !== undefined && problem.path !== "") show(tabOf(problem));
    unsaid.current?.();
    // What is wrong at a place stands there, and at the foot.
    const words = found.every(({ path }) => path !== "") ? problemWords(found.length) : wordsOf(error);
    unsaid.current = notify("bad", `The tool is not saved. ${words}`);
  }

  function save(): void {
    if (isUnderWay.current || schemaFault !== undefined || (seen !== null && !isDirty)) return;
    const wanted =
      seen === null ? { create: createBody(draft) } : { seen, change: updateBody(written.base, draft) };
    isUnderWay.current = true;
    saving.mutate(wanted, {
      onSuccess: (now) => stored(now, draft),
      onError: refuse,
      onSettled: () => void (isUnderWay.current = false),
    });
  }
  useCommand("s", save);

  return (
    <div className="flex min-h-dvh flex-col lg:h-dvh lg:min-h-0">
      <Head
        tool={seen?.tool ?? null}
        bench={bench}
        isDirty={isDirty}
        isSaving={saving.isPending}
        cannotSave={schemaFault}
        onSave={save}
        onDrop={written.drop}
        onBringBack={written.dropped === null ? dropped : written.bringBack}
      />
      {search.saved === true && seen !== null && !isDirty && <SavedBar tool={seen.tool} />}
      <Frame
        key={seen?.tool.id ?? "new"}
        bench={bench}
        checked={checked}
        search={search}
        toolId={seen?.tool.id ?? "new"}
        missing={seen?.tool.unconfiguredServices ?? []}
        examples={examples}
        show={show}
        onParametersFault={setParametersFault}
        onOutputFault={setOutputFault}
      />
      <Leaving isDirty={isDirty} settle={written.settle} />
      {theirs !== null && seen !== null && (
        <ToolConflict
          base={written.base}
          mine={draft}
          theirs={theirs}
          isBusy={saving.isPending}
          onTakeTheirs={() => {
            setSeen(theirs);
            written.restart(draftOf(theirs.tool), theirs.tool.version);
            setTheirs(null);
          }}
          onGoOn={() => {
            setSeen(theirs);
            written.rebase(draftOf(theirs.tool), theirs.tool.version, written.base);
            setTheirs(null);
          }}
          onClose={() => setTheirs(null)}
        />
      )}
    </div>
  );
}

const problemWords = (count: number): string =>
  count === 1 ? "Mend its problem first." : `Mend its ${count} problems first.`;

const warningsOf = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ severity }) => severity === "warning");
