import { type DragEvent, type ReactNode, useState } from "react";
import { Upload } from "../../../design/icons.tsx";
import { type ImportSource, readDropped } from "../../../data/read-files.ts";

interface Props {
  onDrop: (source: Promise<ImportSource>) => void;
  /** Nothing may be dropped. */
  isOff: boolean;
  children: ReactNode;
}

const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes("Files");

/** A page on which folders and zips of tools may be dropped, which it shows while they are above it. */
export function DropZone({ onDrop, isOff, children }: Props) {
  const [isOver, setOver] = useState(false);
  if (isOff) return <div className="flex flex-1 flex-col">{children}</div>;
  return (
    <div
      className="relative flex flex-1 flex-col"
      onDragEnter={(event) => holdsFiles(event) && setOver(true)}
      onDragOver={(event) => holdsFiles(event) && event.preventDefault()}
      onDragLeave={({ currentTarget, relatedTarget }) =>
        currentTarget.contains(relatedTarget as Node | null) || setOver(false)
      }
      onDrop={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setOver(false);
        onDrop(readDropped(event.dataTransfer.items));
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none fixed inset-2 z-30 flex items-center justify-center rounded-lg border-2 border-dashed border-accent bg-ground/85 md:left-58">
          <p className="flex items-center gap-2 rounded-lg bg-raised px-4 py-3 font-medium shadow-pop">
            <Upload size={18} />
            Drop folders or a zip of tools: you see first what would be done
          </p>
        </div>
      )}
    </div>
  );
}
