import type { Tool } from "@bulkhead/client";
import { Button } from "../../design/button.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { ChangesView } from "./changes-view.tsx";
import { type Draft, draftOf } from "./draft.ts";
import type { KeptDraft } from "./kept-draft.ts";

interface Props {
  kept: KeptDraft;
  tool: Tool | null;
  /** What one gets without the draft. */
  base: Draft;
  onContinue: () => void;
  onDrop: () => void;
}

/** What somebody wrote here and did not save, before they write again. */
export function DraftOffer({ kept: { draft, at, version }, tool, base, onContinue, onDrop }: Props) {
  const name = tool?.name ?? (draft.name.trim() || "New tool");
  const isOlder = tool !== null && version !== null && version !== tool.version;
  return (
    <>
      <PageHead
        title={name}
        back={tool === null ? { to: "/tools", name: "Tools" } : { to: `/tools/${tool.id}`, name: "The tool" }}
      />
      <div className="mx-auto flex w-full max-w-5xl flex-col gap-5 p-4 md:p-6">
        <section className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg border border-line bg-surface p-4">
          <div className="min-w-0 flex-1 basis-72">
            <h2 className="font-semibold">
              You have a draft{tool === null ? " of a new tool" : ""}, kept{" "}
              <When at={new Date(at).toISOString()} />
            </h2>
            <p className="mt-0.5 text-sm text-ink-2">
              {isOlder ? (
                <>
                  It began with version {version}; the tool is at version {tool.version} by now. Continuing
                  keeps what you changed, and takes the tool as it is for all else.
                </>
              ) : (
                <>
                  It is kept in this browser alone, and is saved nowhere else.
                  {tool === null && draft.name !== "" && (
                    <>
                      {" "}
                      It is called <Words text={draft.name} />.
                    </>
                  )}
                </>
              )}
            </p>
          </div>
          <span className="flex flex-wrap gap-2">
            <Button onClick={onDrop}>Drop it</Button>
            <Button look="primary" autoFocus onClick={onContinue}>
              Continue with the draft
            </Button>
          </span>
        </section>
        <ChangesView
          names={[tool === null ? "What you would begin with" : "The tool as it is", "Your draft"]}
          before={tool === null ? base : draftOf(tool)}
          after={draft}
        />
      </div>
    </>
  );
}
