import { useLiveState } from "../data/live.ts";
import { useMe } from "../data/session.ts";
import { Wifi, WifiOff } from "../design/icons.tsx";

const SIGNS = {
  connecting: { icon: Wifi, words: "Connecting", className: "text-ink-3" },
  live: { icon: Wifi, words: "Live: changes show as they happen", className: "text-good" },
  reconnecting: { icon: WifiOff, words: "Reconnecting: what you see may be old", className: "text-warn" },
} as const;

/** Whether what is shown is kept true by the server's events; the words are read out when that changes. */
export function LiveSign({ hasWords = false }: { hasWords?: boolean }) {
  const state = useLiveState();
  if (useMe().tenant === null) return null;
  const { icon: Icon, words, className } = SIGNS[state];
  return (
    <span
      role="status"
      title={words}
      className={`flex h-8 min-w-8 items-center justify-center gap-1.5 ${className}`}
    >
      <Icon size={15} />
      {hasWords && state === "reconnecting" ? (
        <span className="text-xs">Reconnecting</span>
      ) : (
        <span className="sr-only">{words}</span>
      )}
    </span>
  );
}
