import type { ReactNode } from "react";
import { percent } from "../format/numbers.ts";

const NEARLY = 0.9;

interface BarProps {
  name: string;
  used: number;
  allowed: number;
  words: (value: number) => string;
}

interface Props {
  label: string;
  bars: readonly BarProps[];
  /** Whose they are, and the bound of one thing. */
  children: ReactNode;
}

/** How much is used of what the tenant may have. */
export const Room = ({ label, bars, children }: Props) => (
  <section aria-label={label} className="mt-4 grid max-w-3xl gap-3 text-xs text-ink-2 sm:grid-cols-3">
    {bars.map((bar) => (
      <Bar key={bar.name} {...bar} />
    ))}
    <p className="text-ink-3 sm:col-span-3">{children}</p>
  </section>
);

function Bar({ name, used, allowed, words }: BarProps) {
  const share = allowed === 0 ? 1 : Math.min(1, used / allowed);
  const isNearly = share >= NEARLY;
  return (
    <div>
      <p className={isNearly ? "text-warn" : undefined}>
        {name}: {words(used)} of {words(allowed)} ({percent(share)})
      </p>
      <div
        role="meter"
        aria-label={`${name} used`}
        aria-valuemin={0}
        aria-valuemax={allowed}
        aria-valuenow={Math.min(used, allowed)}
        className="mt-1 h-1.5 overflow-hidden rounded-full bg-calm-soft"
      >
        <div
          className={`h-full rounded-full ${isNearly ? "bg-warn" : "bg-accent"}`}
          style={{ width: `${share * 100}%` }}
        />
      </div>
    </div>
  );
}
