import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { X } from "./icons.tsx";
import type { Selected } from "./use-selection.ts";

interface Props<Row> {
  label: string;
  selected: Selected<Row>;
  /** What a row that the list does not show is called. */
  nameOf: (row: Row) => ReactNode;
  /** In place of the count, as how far something is. */
  says?: string | undefined;
  /** What can be done. */
  children: ReactNode;
}

/** Floats below a list while rows of it are selected: how many, which of them the list does not show, and what can be done. */
export function SelectionBar<Row extends { id: string }>({
  label,
  selected,
  nameOf,
  says,
  children,
}: Props<Row>) {
  const [isShowing, setShowing] = useState(false);
  const { seen, unseen, clear, keep } = selected;
  const leave = (ids: readonly string[]): void =>
    keep(new Set([...seen, ...unseen].flatMap(({ id }) => (ids.includes(id) ? [] : [id]))));
  return (
    <div
      role="region"
      aria-label={label}
      className="sticky bottom-3 z-20 mx-auto mb-3 flex w-fit max-w-[calc(100%-1.5rem)] flex-wrap items-center justify-center gap-1.5 rounded-lg border border-line-strong bg-raised p-1.5 shadow-pop"
    >
      <span className="px-2 text-sm font-medium whitespace-nowrap tabular-nums" role="status">
        {says ?? `${(seen.length + unseen.length).toLocaleString()} selected`}
      </span>
      {unseen.length > 0 && (
        <Button
          look="quiet"
          className="-ml-2 text-warn!"
          title="See which they are"
          onClick={() => setShowing(true)}
        >
          {unseen.length.toLocaleString()} of them not in the list
        </Button>
      )}
      {children}
      <Button look="quiet" icon={X} aria-label="Select none" title="Select none" onClick={clear} />
      {isShowing && unseen.length > 0 && (
        <Dialog
          title="Selected, and not in the list"
          onClose={() => setShowing(false)}
          actions={
            <Button
              onClick={() => {
                leave(unseen.map(({ id }) => id));
                setShowing(false);
              }}
            >
              Select none of these
            </Button>
          }
        >
          <p className="mb-2 text-sm text-ink-2">
            They were selected before the list changed. What you do is done to them too.
          </p>
          <ul className="divide-y divide-line text-sm">
            {unseen.map((row) => (
              <li key={row.id} className="flex min-w-0 items-center gap-2 py-1">
                <span className="min-w-0 flex-1 break-words">{nameOf(row)}</span>
                <Button
                  look="quiet"
                  icon={X}
                  isSmall
                  aria-label="No longer select it"
                  title="No longer select it"
                  onClick={() => leave([row.id])}
                />
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </div>
  );
}
