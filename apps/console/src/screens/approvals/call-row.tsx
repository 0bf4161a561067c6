import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { classes } from "../../design/classes.ts";
import { Words, wordsLine } from "../../design/words.tsx";

/** From here on the call stands beside its list. */
const WIDE = "(min-width: 64rem)";

interface Props {
  id: string;
  name: string;
  /** A box before it. */
  before?: ReactNode;
  /** What stands at the end of its first line. */
  aside: ReactNode;
  /** One line below. */
  about?: string;
  /** Small words at the foot. */
  foot: ReactNode;
  isOpen: boolean;
}

/** One call in a list. Going to its row by the keyboard opens it where there is room beside the list. */
export const CallRow = ({ id, name, before, aside, about, foot, isOpen }: Props) => (
  <li
    className={classes(
      "relative flex gap-3 border-b border-line px-4 py-3 hover:bg-hover",
      isOpen && "bg-accent-soft",
    )}
  >
    {before}
    <div className="min-w-0 flex-1">
      <div className="flex items-baseline gap-3">
        <Link
          data-row
          to="/approvals/$approvalId"
          params={{ approvalId: id }}
          search
          aria-current={isOpen ? "true" : undefined}
          onFocus={({ currentTarget }) => {
            if (!isOpen && matchMedia(WIDE).matches && currentTarget.matches(":focus-visible"))
              currentTarget.click();
          }}
          className="min-w-0 flex-1 truncate font-mono text-sm font-semibold after:absolute after:inset-0"
        >
          <Words text={name} />
        </Link>
        <span className="shrink-0 text-xs">{aside}</span>
      </div>
      {about !== undefined && (
        <p className="mt-0.5 truncate font-mono text-xs text-ink-2" title={wordsLine(about)}>
          <Words text={wordsLine(about)} />
        </p>
      )}
      <p className="mt-1 flex gap-x-2 text-xs text-ink-2">{foot}</p>
    </div>
  </li>
);
