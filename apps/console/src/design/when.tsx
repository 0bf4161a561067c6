import { useEffect, useState } from "react";
import { exactTime, relativeTime } from "../format/times.ts";

const TURN_MS = 30_000;

/** A moment as people tell it; the exact one is shown on hover. */
export function When({ at }: { at: string }) {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TURN_MS);
    return () => clearInterval(timer);
  }, []);
  const moment = new Date(at);
  return (
    <time dateTime={at} title={exactTime(moment)} className="whitespace-nowrap">
      {relativeTime(moment, now)}
    </time>
  );
}
