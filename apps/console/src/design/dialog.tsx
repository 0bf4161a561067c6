import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { Button } from "./button.tsx";
import { X } from "./icons.tsx";
import { Words } from "./words.tsx";

export interface DialogProps {
  title: ReactNode;
  /** Side: the whole height at the right, for a record; middle: for a question or a form. */
  place?: "middle" | "side";
  children: ReactNode;
  /** Buttons at the foot. */
  actions?: ReactNode;
  onClose: () => void;
}

const PLACES = {
  middle: "m-auto max-h-[calc(100dvh-2rem)] w-[min(34rem,calc(100vw-2rem))] rounded-lg",
  side: "my-0 mr-0 ml-auto h-dvh max-h-none w-[min(44rem,100vw)] rounded-none border-y-0 border-r-0",
} as const;

/**
 * Stands above the page until it is closed: by Escape, by its cross, or by a press beside it. What has `data-first` is ready
 * for the keyboard.
 */
export function Dialog({ title, place = "middle", children, actions, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => {
      // One that is taken out open, as by its own Cancel, would not give the focus back; whoever takes it out knows that it goes.
      const stop = (event: Event): void => event.stopImmediatePropagation();
      element?.addEventListener("close", stop, { capture: true, once: true });
      element?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={name}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && dialog.current.close()}
      className={`max-w-none border border-line bg-raised p-0 text-ink shadow-pop backdrop:bg-ground/70 ${PLACES[place]}`}
    >
      <div
        className="flex max-h-[inherit] flex-col"
        style={{ height: place === "side" ? "100%" : undefined }}
      >
        <div className="flex items-start gap-3 border-b border-line px-5 py-3">
          <h2 id={name} className="min-w-0 flex-1 pt-1 text-lg font-semibold break-words">
            {typeof title === "string" ? <Words text={title} /> : title}
          </h2>
          <Button look="quiet" icon={X} aria-label="Close" onClick={() => dialog.current?.close()} />
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
        {actions !== undefined && (
          <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{actions}</div>
        )}
      </div>
    </dialog>
  );
}
