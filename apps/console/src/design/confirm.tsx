import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface ConfirmProps {
  title: ReactNode;
  children: ReactNode;
  /** The words of the button that does it. */
  does: string;
  isBusy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before what can't be taken back; the button that is ready for Enter is the one that does nothing. */
export const Confirm = ({ title, children, does, isBusy, onConfirm, onClose }: ConfirmProps) => (
  <Dialog
    title={title}
    onClose={onClose}
    actions={
      <>
        <Button data-first onClick={onClose}>
          Cancel
        </Button>
        <Button look="danger" isBusy={isBusy} onClick={onConfirm}>
          {does}
        </Button>
      </>
    }
  >
    <div className="text-sm text-ink-2">{children}</div>
  </Dialog>
);
