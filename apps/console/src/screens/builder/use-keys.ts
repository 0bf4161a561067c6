import { useEffect, useEffectEvent } from "react";

/** Hears a key with Ctrl or ⌘, before the field in which somebody writes does; not while something is asked. */
export function useCommand(key: string, act: () => void): void {
  const acted = useEffectEvent(act);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key !== key) return;
      if (document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) acted();
    };
    addEventListener("keydown", onKey, { capture: true });
    return () => removeEventListener("keydown", onKey, { capture: true });
  }, [key]);
}
