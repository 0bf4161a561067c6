import type { SeenPolicy } from "../../data/policy.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { SideBySide } from "../../design/side-by-side.tsx";
import { textOf } from "./policy-draft.ts";

interface Props {
  theirs: SeenPolicy;
  mine: string;
  isBusy: boolean;
  onTakeTheirs: () => void;
  /** Goes on with one's own text, over what the others saved. */
  onGoOn: () => void;
  onClose: () => void;
}

/** Somebody else has saved meanwhile: nothing is lost, and both are shown. */
export const Conflict = ({ theirs, mine, isBusy, onTakeTheirs, onGoOn, onClose }: Props) => (
  <Dialog
    title="Somebody else has saved the policy"
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
    <p className="mb-3 text-sm text-ink-2">
      Nothing of yours was saved, and nothing of theirs is lost. Go on with yours to bring their changes into
      your text, then save again.
    </p>
    <SideBySide
      label="Their policy against yours"
      names={["In force, as they saved it", "Yours, not saved"]}
      before={textOf(theirs.document)}
      after={mine}
    />
  </Dialog>
);
