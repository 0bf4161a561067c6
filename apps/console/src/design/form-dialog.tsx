import { type FormEvent, type ReactNode, useId } from "react";
import { Button } from "./button.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";

interface FormDialogProps extends Omit<DialogProps, "actions"> {
  /** The words of the button that sends the form. */
  does: string;
  isDanger?: boolean;
  isBusy?: boolean;
  /** Nothing is there yet that could be sent. */
  cannotSend?: boolean;
  /** Other ways to send it. */
  otherActions?: ReactNode;
  /** Of the form; in place of its fields below each other. */
  className?: string;
  /** What is wrong is told at its field, not by the browser. */
  tellsFaults?: boolean;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/** A dialog that is filled in and sent, by its button or by Enter. What is typed is nothing that a browser should offer again. */
export function FormDialog({
  does,
  isDanger = false,
  isBusy = false,
  cannotSend = false,
  otherActions,
  className = "flex flex-col gap-4",
  tellsFaults = false,
  onSubmit,
  children,
  ...dialog
}: FormDialogProps) {
  const form = useId();
  return (
    <Dialog
      {...dialog}
      actions={
        <>
          <Button onClick={dialog.onClose}>Cancel</Button>
          {otherActions}
          <Button
            look={isDanger ? "danger" : "primary"}
            type="submit"
            form={form}
            isBusy={isBusy}
            disabled={cannotSend}
          >
            {does}
          </Button>
        </>
      }
    >
      <form
        id={form}
        autoComplete="off"
        noValidate={tellsFaults}
        className={className}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(event);
        }}
      >
        {children}
      </form>
    </Dialog>
  );
}
