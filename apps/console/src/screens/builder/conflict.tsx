import type { SeenTool } from "../../data/builder.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
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

/** Somebody else has saved the tool meanwhile: nothing is lost, and both are shown. */
export function Conflict({ base, mine, theirs, isBusy, onTakeTheirs, onGoOn, onClose }: Props) {
  const now = draftOf(theirs.tool);
  const both = clashes(base, mine, now);
  return (
    <Dialog
      title="Somebody else has changed the tool"
      place="side"
      onClose={onClose}
      actions={
        <>
          <Button disabled={isBusy} onClick={onTakeTheirs}>
            Take theirs, drop mine
          </Button>
          <Button look="primary" disabled={isBusy} onClick={onGoOn}>
            Go on with mine
          </Button>
        </>
      }
    >
      <p className="mb-4 text-sm text-ink-2">
        Version {theirs.tool.version} was saved <When at={theirs.tool.updatedAt} />; nothing of yours is
        saved. Going on keeps what you changed, and takes theirs for all else
        {both.length === 0
          ? "; you changed different things."
          : `. Both changed ${both.map((field) => FIELD_NAMES[field].toLowerCase()).join(", ")}: there yours would stand.`}
      </p>
      <ChangesView
        names={["As they saved it", "Yours, not saved"]}
        before={now}
        after={mine}
        clashing={both}
      />
    </Dialog>
  );
}
