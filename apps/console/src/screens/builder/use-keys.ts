import { useEffect, useEffectEvent } from "react";
import { flushSync } from "react-dom";

/** Hears a key with Ctrl or ⌘, before the field in which somebody writes does; not while something is asked. */
export function useCommand(key: string, act: () => void): void {
  const acted = useEffectEvent(act);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key !== key) return;
      if (document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.repeat) return;
      takeTyped();
      acted();
    };
    addEventListener("keydown", onKey, { capture: true });
    return () => removeEventListener("keydown", onKey, { capture: true });
  }, [key]);
}

/** What an input takes only when it is left, as the name of a schema's field, is taken before; the focus stays where it is. */
function takeTyped(): void {
  const input = document.activeElement;
  if (input instanceof HTMLInputElement)
    flushSync(() => input.dispatchEvent(new FocusEvent("focusout", { bubbles: true })));
}
