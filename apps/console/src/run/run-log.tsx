import { useLayoutEffect, useRef, useState } from "react";
import type { LogLine } from "../data/runs.ts";
import { Button } from "../design/button.tsx";
import { ArrowDown } from "../design/icons.tsx";
import { Box } from "../design/part.tsx";
import { Words } from "../design/words.tsx";

const LEVELS = ["debug", "info", "warn", "error"] as const;
const LEVEL_NAMES = {
  debug: "All levels",
  info: "Without debug",
  warn: "Warnings and errors",
  error: "Errors only",
} as const;
const LOOKS = { debug: "text-ink-3", info: "text-info", warn: "text-warn", error: "text-bad" } as const;
/** So near the end counts as being there; pixels. */
const NEAR = 24;

interface Props {
  lines: readonly LogLine[];
  /** Older lines that are not kept. */
  dropped?: number;
  hasGap?: boolean;
}

/** What a run logs, as it comes: it follows the newest line until somebody scrolls up. */
export function RunLog({ lines, dropped = 0, hasGap = false }: Props) {
  const [least, setLeast] = useState<LogLine["level"]>("debug");
  const [isFollowing, setFollowing] = useState(true);
  const list = useRef<HTMLOListElement>(null);
  const shown = lines.filter(({ level }) => LEVELS.indexOf(level) >= LEVELS.indexOf(least));
  const toEnd = (): void => {
    const element = list.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  };
  useLayoutEffect(() => {
    if (isFollowing) toEnd();
  });
  return (
    <Box
      title={`Log: ${shown.length === 1 ? "1 line" : `${shown.length.toLocaleString()} lines`}`}
      aside={
        <select
          aria-label="Least level of the log"
          value={least}
          onChange={({ target }) => setLeast(LEVELS.find((one) => one === target.value) ?? "debug")}
          className="h-6 rounded-sm border border-line bg-surface px-1 text-xs text-ink-2"
        >
          {LEVELS.map((level) => (
            <option key={level} value={level}>
              {LEVEL_NAMES[level]}
            </option>
          ))}
        </select>
      }
    >
      <div className="relative">
        {dropped > 0 && (
          <p className="mb-1 text-xs text-ink-3">{dropped.toLocaleString()} older lines are not kept here.</p>
        )}
        {hasGap && <p className="mb-1 text-xs text-warn">Some of what it said can't be told any more.</p>}
        <ol
          ref={list}
          tabIndex={0}
          aria-label="Lines of the log"
          onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
            setFollowing(scrollHeight - scrollTop - clientHeight < NEAR)
          }
          className="max-h-72 overflow-auto font-mono text-sm leading-6"
        >
          {shown.map(({ at, level, text }, index) => (
            <li key={index} className="flex gap-3" title={at}>
              <span className={`w-10 shrink-0 ${LOOKS[level]}`}>{level}</span>
              <span className="min-w-0 break-words whitespace-pre-wrap">
                <Words text={text} />
              </span>
            </li>
          ))}
        </ol>
        {shown.length === 0 && <p className="text-sm text-ink-3">No line of such a level.</p>}
        {!isFollowing && (
          <Button
            icon={ArrowDown}
            className="absolute right-2 bottom-2 h-7 px-2 shadow-pop"
            onClick={() => {
              setFollowing(true);
              toEnd();
            }}
          >
            Newest
          </Button>
        )}
      </div>
    </Box>
  );
}
