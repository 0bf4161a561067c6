import { useEffect, useState } from "react";
import { exactTime, timeLeft } from "../format/times.ts";
import { classes } from "./classes.ts";

const TURN_MS = 1_000;
/** From here on it is urgent. */
const SOON_MS = 30_000;

/** How much time is left until a moment, second by second; the moment itself is shown on hover. */
export function Countdown({ until }: { until: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TURN_MS);
    return () => clearInterval(timer);
  }, []);
  const at = new Date(until);
  const leftMs = at.getTime() - now;
  return (
    <time
      dateTime={until}
      title={exactTime(at)}
      className={classes("whitespace-nowrap tabular-nums", leftMs < SOON_MS ? "text-bad" : "text-ink-2")}
    >
      {leftMs <= 0 ? "expiring" : timeLeft(leftMs)}
    </time>
  );
}
