import type { Icon } from "./icons.tsx";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";

const TONES = {
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  info: "bg-info-soft text-info",
  ai: "bg-ai-soft text-ai",
  calm: "bg-calm-soft text-ink-2",
} as const;

export type Tone = keyof typeof TONES;

interface BadgeProps {
  tone: Tone;
  icon?: Icon;
  /** A dot before the words, for states. */
  hasDot?: boolean;
  children: ReactNode;
}

/** A word about a thing. Its colour never says more than the word does. */
export const Badge = ({ tone, icon: Icon, hasDot = false, children }: BadgeProps) => (
  <span
    className={classes(
      "inline-flex h-5 shrink-0 items-center gap-1 rounded-full px-2 text-xs font-medium whitespace-nowrap",
      TONES[tone],
    )}
  >
    {hasDot && <span className="size-1.5 rounded-full bg-current" aria-hidden />}
    {Icon && <Icon size={12} />}
    {children}
  </span>
);
