import type { Tool } from "@bulkhead/client";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useMe } from "../../data/session.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Copy, Ellipsis, FilePlus, RotateCcw, Save, Sparkles } from "../../design/icons.tsx";
import { Menu } from "../../design/menu.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Words } from "../../design/words.tsx";
import { CREATOR_LOOKS, STATUS_LOOKS } from "../tools/tool-words.ts";
import { AssistDialog } from "./assist-dialog.tsx";
import type { Bench } from "./bench.ts";

interface Props {
  tool: Tool | null;
  bench: Bench;
  isDirty: boolean;
  isSaving: boolean;
  /** Why it can't be saved as it is. */
  cannotSave: string | undefined;
  onSave: () => void;
  onDrop: () => void;
  /** Takes back what was dropped; null: nothing was. */
  onBringBack: (() => void) | null;
}

/** What is written, how it stands, and what can be done with it. */
export function Head({ tool, bench, isDirty, isSaving, cannotSave, onSave, onDrop, onBringBack }: Props) {
  const { features } = useMe();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const name = bench.draft.name.trim() || tool?.name || "New tool";
  const drop = { name: "Drop the changes", icon: RotateCcw, isDanger: true, onChoose: onDrop };
  const anew = {
    name: "Begin another tool",
    icon: FilePlus,
    onChoose: () => void navigate({ to: "/tools/new" }),
  };
  const copies =
    tool === null
      ? []
      : [
          {
            name: "Make a copy",
            icon: Copy,
            onChoose: () => void navigate({ to: "/tools/new", search: { from: "tool", of: tool.id } }),
          },
        ];
  return (
    <PageHead
      title={name}
      heading={
        <span className={bench.draft.name === "" && tool === null ? "" : "font-mono"}>
          <Words text={name} />
        </span>
      }
      back={tool === null ? { to: "/tools", name: "Tools" } : { to: `/tools/${tool.id}`, name: "The tool" }}
      badges={<Badges tool={tool} bench={bench} isDirty={isDirty} cannotSave={cannotSave} />}
      actions={
        <>
          <Menu
            label="More to do"
            icon={Ellipsis}
            items={isDirty ? [...copies, anew, drop] : [...copies, anew]}
          />
          {features.assist === true && bench.draft.command === undefined && (
            <Button icon={Sparkles} onClick={() => setAsking(true)}>
              Ask the model
            </Button>
          )}
          <Button
            look="primary"
            icon={Save}
            hint="Ctrl S"
            isBusy={isSaving}
            disabled={cannotSave !== undefined || (tool !== null && !isDirty)}
            title={cannotSave === undefined ? undefined : "The schema's JSON can't be read: mend it first"}
            onClick={onSave}
          >
            {tool === null ? "Create tool" : "Save"}
          </Button>
        </>
      }
    >
      {onBringBack !== null && !isDirty && (
        <p
          role="status"
          className="mb-3 flex flex-wrap items-center gap-x-3 rounded-md bg-info-soft px-3 py-1.5 text-sm"
        >
          What you wrote is dropped.
          <button type="button" className="font-medium underline underline-offset-2" onClick={onBringBack}>
            Bring it back
          </button>
        </p>
      )}
      {isAsking && <AssistDialog bench={bench} onClose={() => setAsking(false)} />}
    </PageHead>
  );
}

const Badges = ({
  tool,
  bench,
  isDirty,
  cannotSave,
}: Pick<Props, "tool" | "bench" | "isDirty" | "cannotSave">) => (
  <>
    {tool !== null && (
      <Badge tone={STATUS_LOOKS[tool.status].tone} hasDot>
        {STATUS_LOOKS[tool.status].name}
      </Badge>
    )}
    {tool !== null && <Badge tone="calm">Version {tool.version}</Badge>}
    {bench.draft.createdBy === "llm" && <Badge tone={CREATOR_LOOKS.llm.tone}>{CREATOR_LOOKS.llm.name}</Badge>}
    {isDirty && (
      <Badge tone="warn" hasDot>
        Not saved
      </Badge>
    )}
    {cannotSave !== undefined && <Badge tone="bad">The schema&apos;s JSON can&apos;t be read</Badge>}
  </>
);
