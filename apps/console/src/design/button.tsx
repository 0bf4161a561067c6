import { LoaderCircle, type Icon } from "./icons.tsx";
import type { ComponentProps } from "react";
import { classes } from "./classes.ts";

const LOOKS = {
  primary: "bg-accent text-on-accent hover:brightness-110 border-transparent",
  plain: "bg-surface text-ink border-line-strong hover:bg-hover",
  quiet: "bg-transparent text-ink-2 border-transparent hover:bg-hover hover:text-ink",
  danger: "bg-transparent text-bad border-line-strong hover:bg-bad-soft",
} as const;

export interface ButtonProps extends ComponentProps<"button"> {
  look?: keyof typeof LOOKS;
  icon?: Icon;
  /** Beside small words, as in the head of a box. */
  isSmall?: boolean;
  /** What it does is under way: it can't be pressed, and turns. */
  isBusy?: boolean;
  /** The key that does the same, shown behind the words. */
  hint?: string;
}

export function Button({
  look = "plain",
  icon: Icon,
  isSmall = false,
  isBusy = false,
  hint,
  className,
  children,
  ...others
}: ButtonProps) {
  const isBare = children === undefined;
  return (
    <button
      type="button"
      {...others}
      disabled={(others.disabled ?? false) || isBusy}
      aria-busy={isBusy || undefined}
      className={classes(
        "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors",
        "disabled:cursor-not-allowed disabled:opacity-55",
        isSmall ? "h-6 text-xs" : "h-8 text-sm",
        isBare ? (isSmall ? "w-6" : "w-8") : isSmall ? "px-1.5" : "px-3",
        LOOKS[look],
        className,
      )}
    >
      {isBusy ? <LoaderCircle size={15} className="animate-spin" /> : Icon && <Icon size={15} />}
      {children}
      {hint !== undefined && <Key>{hint}</Key>}
    </button>
  );
}

/** A key of the keyboard, as a hint. */
const Key = ({ children }: { children: string }) => (
  <kbd className="hidden rounded-sm border border-line-strong bg-sunken px-1 font-sans text-xs text-ink-3 sm:inline">
    {children}
  </kbd>
);
