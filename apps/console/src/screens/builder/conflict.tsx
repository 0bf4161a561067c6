import type { SeenTool } from "../../data/builder.ts";
import { Conflict } from "../../design/conflict.tsx";
import { When } from "../../design/when.tsx";
import { ChangesView } from "./changes-view.tsx";
import { clashes, FIELD_NAMES } from "./differences.ts";
import { type Draft, draftOf } from "./draft.ts";

interface Props {
  /** What both began with. */
  base: Draft;
  mine: Draft;
  theirs: SeenTool;
  isBusy: boolean;
  onTakeTheirs: () => void;
  onGoOn: () => void;
  onClose: () => void;
}

/** Somebody else has saved the tool meanwhile: field by field, with those that both have changed. */
export function ToolConflict({ base, mine, theirs, ...answers }: Props) {
  const now = draftOf(theirs.tool);
  const both = clashes(base, mine, now);
  return (
    <Conflict
      title="Somebody else has changed the tool"
      says={
        <>
          Version {theirs.tool.version} was saved <When at={theirs.tool.updatedAt} />; nothing of yours is
          saved. Going on keeps what you changed, and takes theirs for all else
          {both.length === 0
            ? "; you changed different things."
            : `. Both changed ${both.map((field) => FIELD_NAMES[field].toLowerCase()).join(", ")}: there yours would stand.`}
        </>
      }
      {...answers}
    >
      <ChangesView
        names={["As they saved it", "Yours, not saved"]}
        before={now}
        after={mine}
        clashing={both}
      />
    </Conflict>
  );
}
