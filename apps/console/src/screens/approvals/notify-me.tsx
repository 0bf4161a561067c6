import { type Allowance, useNotifying, wantNotifications } from "../../data/notifications.ts";
import { useMayAnswer } from "../../data/session.ts";
import { Button } from "../../design/button.tsx";
import { Bell, BellRing } from "../../design/icons.tsx";

const SAYS: Readonly<Record<Allowance, string>> = {
  none: "Your browser has no notifications here; they need https or this very machine.",
  denied: "Your browser blocks notifications of this site; its settings for the site allow them.",
  default: "Your browser will ask whether it may show notifications.",
  granted: "A notification shows when a call waits and you look elsewhere.",
};

/** Turns notifications of the browser on and off, with what the browser says to it. */
export function NotifyMe() {
  const { allowance, isWanted } = useNotifying();
  if (!useMayAnswer()) return null;
  const isOn = isWanted && allowance === "granted";
  const isRefused = allowance === "none" || allowance === "denied";
  return (
    <>
      {isRefused && isWanted && (
        <span role="status" className="max-w-80 self-center text-xs text-ink-2">
          {SAYS[allowance]}
        </span>
      )}
      <Button
        icon={isOn ? BellRing : Bell}
        aria-pressed={isOn}
        title={SAYS[allowance]}
        onClick={() => void wantNotifications(!isOn)}
      >
        {isOn ? "Notifying you" : "Notify me"}
      </Button>
    </>
  );
}
