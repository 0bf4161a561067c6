import { type DragEvent, type ReactNode, useState } from "react";
import { Upload } from "./icons.tsx";

interface Props {
  /** They have to be read before anything is waited for. */
  onDrop: (items: DataTransferItemList) => void;
  /** What is done with what is dropped. */
  says: string;
  /** Nothing may be dropped. */
  isOff: boolean;
  children: ReactNode;
}

const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes("Files");

/** A page on which files may be dropped, which it shows while they are above it. */
export function DropZone({ onDrop, says, isOff, children }: Props) {
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
        onDrop(event.dataTransfer.items);
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none fixed inset-2 z-30 flex items-center justify-center rounded-lg border-2 border-dashed border-accent bg-ground/85 md:left-58">
          <p className="flex items-center gap-2 rounded-lg bg-raised px-4 py-3 font-medium shadow-pop">
            <Upload size={18} />
            {says}
          </p>
        </div>
      )}
    </div>
  );
}
