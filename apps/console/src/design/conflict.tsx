import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface Props {
  /** That somebody else has saved the thing. */
  title: string;
  /** What is lost by neither way, and what going on with one's own means. */
  says: ReactNode;
  isBusy: boolean;
  onTakeTheirs: () => void;
  /** Goes on with one's own, over what the others saved. */
  onGoOn: () => void;
  onClose: () => void;
  /** Both, beside each other. */
  children: ReactNode;
}

/** Somebody else has saved meanwhile: nothing is lost, both are shown, and a person says which one stays. */
export const Conflict = ({ title, says, isBusy, onTakeTheirs, onGoOn, onClose, children }: Props) => (
  <Dialog
    title={title}
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
    <p className="mb-4 text-sm text-ink-2">{says}</p>
    {children}
  </Dialog>
);
