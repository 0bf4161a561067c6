import { Button } from "../../design/button.tsx";
import { X } from "../../design/icons.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { duration } from "../../format/numbers.ts";
import { exactTime } from "../../format/times.ts";
import { type Changes, CHIPS, type ExecutionSearch, statusesOf } from "./execution-search.ts";
import { SOURCE_NAMES, STATUS_LOOKS } from "../../run/execution-words.ts";

interface Props {
  search: ExecutionSearch;
  change: (next: Changes) => void;
  clear: () => void;
}

/** What is asked for, one word each, and a cross that takes it away. */
export function Chips({ search, change, clear }: Props) {
  const { from, to } = search;
  const words = CHIPS.flatMap((name): { said: string; drop: Changes }[] => {
    const said = saidOf(name, search);
    return said === null ? [] : [{ said, drop: { [name]: undefined } }];
  });
  if (from !== undefined)
    words.push({ said: `from ${exactTime(new Date(from))}`, drop: { from: undefined } });
  if (to !== undefined) words.push({ said: `before ${exactTime(new Date(to))}`, drop: { to: undefined } });
  if (words.length === 0) return null;
  return (
    <ul aria-label="Filters that are set" className="flex flex-wrap items-center gap-1.5 px-4 pt-3 md:px-6">
      {words.map(({ said, drop }) => (
        <li
          key={said}
          className="flex h-7 max-w-full items-center rounded-full border border-line bg-surface pl-3 text-xs text-ink-2"
        >
          <span className="min-w-0 truncate">
            <Words text={said} />
          </span>
          <button
            type="button"
            aria-label={`Remove: ${wordsLine(said)}`}
            onClick={() => change(drop)}
            className="ml-1 flex size-6 items-center justify-center rounded-full hover:bg-hover hover:text-ink"
          >
            <X size={12} />
          </button>
        </li>
      ))}
      {words.length > 1 && (
        <li>
          <Button look="quiet" isSmall onClick={clear}>
            Clear all
          </Button>
        </li>
      )}
    </ul>
  );
}

/** How one filter is told; null: it isn't set. */
function saidOf(name: keyof ExecutionSearch, search: ExecutionSearch): string | null {
  const value = search[name];
  if (value === undefined) return null;
  switch (name) {
    case "status":
      return statusesOf(search)
        .map((status) => STATUS_LOOKS[status].name)
        .join(" or ");
    case "source":
      return `by ${SOURCE_NAMES[search.source ?? "rest"]}`;
    case "min":
      return `at least ${duration(Number(value))}`;
    case "max":
      return `at most ${duration(Number(value))}`;
    case "logs":
      return `logs have “${value}”`;
    case "code":
      return `error ${value}`;
    case "parent":
      return `called by ${value}`;
    default:
      return `${name} ${value}`;
  }
}
