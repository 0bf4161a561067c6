import { type DragEvent, useState } from "react";

/** Rows that a pointer drags to another place among their neighbours; keys do the same elsewhere. */
export function useDragRows(onMove: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<{ from: number; before: number } | null>(null);
  return {
    /** Before which row the dragged one would stand. */
    before: drag === null || drag.before === drag.from || drag.before === drag.from + 1 ? null : drag.before,
    handleOf: (index: number) => ({
      draggable: true,
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.effectAllowed = "move";
        // Firefox drags nothing that carries nothing.
        event.dataTransfer.setData("text/plain", "");
        setDrag({ from: index, before: index });
      },
      onDragEnd: () => setDrag(null),
    }),
    rowOf: (index: number) => ({
      onDragOver: (event: DragEvent) => {
        if (drag === null) return;
        event.preventDefault();
        const { top, height } = event.currentTarget.getBoundingClientRect();
        const before = event.clientY > top + height / 2 ? index + 1 : index;
        if (before !== drag.before) setDrag({ ...drag, before });
      },
      onDrop: (event: DragEvent) => {
        if (drag === null) return;
        event.preventDefault();
        setDrag(null);
        onMove(drag.from, drag.before > drag.from ? drag.before - 1 : drag.before);
      },
    }),
  };
}
