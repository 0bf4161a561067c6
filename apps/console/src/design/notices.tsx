import { useSyncExternalStore } from "react";
import { onTurn } from "../data/session.ts";
import { Button } from "./button.tsx";
import { classes } from "./classes.ts";
import { X } from "./icons.tsx";
import { Words } from "./words.tsx";

interface Notice {
  id: number;
  tone: "good" | "bad";
  text: string;
}

/** So long what went well is shown; what failed stays until it is closed. */
const GOOD_MS = 5_000;
const NOTICES_MAX = 4;

let notices: readonly Notice[] = [];
let count = 0;
const listeners = new Set<() => void>();

function become(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

// They tell of what whoever was logged in did.
onTurn(() => become([]));

const close = (id: number): void => become(notices.filter((notice) => notice.id !== id));

/** Tells how something went that a person asked for, above whatever page they are on by then; gives what takes it away. */
export function notify(tone: Notice["tone"], text: string): () => void {
  count += 1;
  const id = count;
  become([...notices, { id, tone, text }].slice(-NOTICES_MAX));
  if (tone === "good") setTimeout(() => close(id), GOOD_MS);
  return () => close(id);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Where notices show: the latest at the bottom, read out as they come. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices);
  return (
    <div
      role="status"
      className="pointer-events-none fixed right-4 bottom-4 left-4 z-40 flex flex-col items-end gap-2"
    >
      {shown.map(({ id, tone, text }) => (
        <div
          key={id}
          className="pointer-events-auto flex max-w-md items-start gap-3 rounded-lg border border-line bg-raised py-2 pr-2 pl-3 text-sm shadow-pop"
        >
          <span
            className={classes("mt-2 size-2 shrink-0 rounded-full", tone === "good" ? "bg-good" : "bg-bad")}
            aria-hidden
          />
          <p className="min-w-0 py-1 break-words">
            <Words text={text} />
          </p>
          <Button
            look="quiet"
            icon={X}
            aria-label="Close the notice"
            className="h-7 w-7"
            onClick={() => close(id)}
          />
        </div>
      ))}
    </div>
  );
}
