import { useEffect, useState } from "react";

/** What of a list is shown while its top is held still, and how many wait above it. */
export interface Held<Row> {
  shown: readonly Row[];
  waiting: number;
}

/** The rows from the held one on; all of them where nothing is held, or the held one is no more in the list. */
export function heldFrom<Row extends { id: string }>(rows: readonly Row[], topId: string | null): Held<Row> {
  const at = topId === null ? 0 : rows.findIndex(({ id }) => id === topId);
  return at <= 0 ? { shown: rows, waiting: 0 } : { shown: rows.slice(at), waiting: at };
}

/** Further down than so many pixels somebody reads, and new rows would push away what is read. */
const READING_PIXELS = 320;

interface Hold<Row> extends Held<Row> {
  /** Somebody reads further down. */
  isReading: boolean;
  isPaused: boolean;
  setPaused: (isPaused: boolean) => void;
  /** Shows what waits. */
  release: () => void;
}

/** Holds the top of a live list still while somebody reads further down, or has paused it. */
export function useHold<Row extends { id: string }>(rows: readonly Row[]): Hold<Row> {
  const [isPaused, setPaused] = useState(false);
  const [topId, setTopId] = useState<string | null>(null);
  const isReading = useIsReading();
  const isHeld = isPaused || isReading;
  const first = rows[0]?.id ?? null;
  // Held from the first row that is there when it begins to be held.
  if (isHeld && topId === null && first !== null) setTopId(first);
  if (!isHeld && topId !== null) setTopId(null);
  const release = (): void => {
    setTopId(first);
    scrollTo({ top: 0 });
  };
  return { ...heldFrom(rows, isHeld ? topId : null), isReading, isPaused, setPaused, release };
}

function useIsReading(): boolean {
  const [isReading, setReading] = useState(false);
  useEffect(() => {
    const look = (): void => setReading(scrollY > READING_PIXELS);
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, []);
  return isReading;
}
