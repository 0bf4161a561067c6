import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { scaleEnd, totalsOf, type Bar } from "../../data/histogram.ts";
import { count, duration } from "../../format/numbers.ts";
import { exactTime } from "../../format/times.ts";
import { shortTime } from "../../format/moments.ts";
import { STATUS_LOOKS, STATUSES } from "../../run/execution-words.ts";

interface Props {
  bars: readonly Bar[];
  /** Narrows the page to a stretch of time. */
  choose: (from: number, to: number) => void;
}

const HEIGHT = 88;

/** Executions over time, piled up by how they ended. Drag over bars, or use the arrows, Shift and Enter, to look at them alone. */
export function HistogramChart({ bars, choose }: Props) {
  const [at, setAt] = useState<number | null>(null);
  const [anchor, setAnchor] = useState<number | null>(null);
  const [isDragging, setDragging] = useState(false);
  const last = bars.length - 1;
  const shown = at === null ? null : Math.min(at, last);
  const range = shown === null ? null : rangeOf(anchor ?? shown, shown, last);
  const narrow = ({ first, last: end }: Range): void => {
    choose(bars[first]?.from ?? 0, bars[end]?.to ?? 0);
    setAt(null);
    setAnchor(null);
  };
  const indexAt = ({ currentTarget, clientX }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * bars.length)));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -bars.length, End: bars.length }[event.key];
    if (step !== undefined) {
      if (!event.shiftKey) setAnchor(null);
      else if (anchor === null) setAnchor(shown ?? last);
      setAt(Math.min(last, Math.max(0, (shown ?? last + 1) + step)));
    } else if (event.key === "Enter") {
      if (range !== null) narrow(range);
    } else if (event.key === "Escape") setAt(null);
    else return;
    event.preventDefault();
  };
  const said = range === null ? "" : wordsOf(bars.slice(range.first, range.last + 1));
  return (
    <>
      <div
        role="slider"
        tabIndex={0}
        aria-label="Executions over time"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={shown ?? last}
        aria-valuetext={said || "Arrows go from bar to bar, Enter shows one alone"}
        className="relative cursor-crosshair touch-pan-y rounded-sm select-none"
        onKeyDown={onKeyDown}
        onBlur={() => setAt(null)}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setAnchor(indexAt(event));
          setAt(indexAt(event));
          setDragging(true);
        }}
        onPointerMove={(event) => setAt(indexAt(event))}
        onPointerUp={(event) => {
          setDragging(false);
          // Where the pointer is now: its last move may not have been drawn yet.
          if (isDragging) narrow(rangeOf(anchor ?? indexAt(event), indexAt(event), last));
        }}
        onPointerCancel={() => {
          setDragging(false);
          setAnchor(null);
        }}
        onPointerLeave={() => !isDragging && setAt(null)}
      >
        <Bars bars={bars} range={range} />
      </div>
      <Axis bars={bars} />
      <p className="mt-1 h-5 truncate text-xs text-ink-2 tabular-nums" aria-hidden>
        {said || totalWords(bars)}
      </p>
    </>
  );
}

/** Bars by their places, both ends included. */
interface Range {
  first: number;
  last: number;
}

const rangeOf = (a: number, b: number, last: number): Range => ({
  first: Math.max(0, Math.min(a, b)),
  last: Math.min(last, Math.max(a, b)),
});

function Bars({ bars, range }: { bars: readonly Bar[]; range: Range | null }) {
  const most = scaleEnd(Math.max(...bars.map(({ total }) => total)));
  const width = 100 / bars.length;
  return (
    <svg width="100%" height={HEIGHT} className="block border-b border-line-strong" aria-hidden>
      <line x1="0" x2="100%" y1="0.5" y2="0.5" className="stroke-line" strokeDasharray="3 3" />
      {range !== null && (
        <rect
          x={`${range.first * width}%`}
          width={`${(range.last - range.first + 1) * width}%`}
          height={HEIGHT}
          className="fill-accent-soft"
        />
      )}
      {bars.map((bar, index) => (
        <Pile key={bar.from} bar={bar} most={most} x={index * width} width={width} />
      ))}
      <text x="0" y="12" className="fill-ink-3 text-xs">
        {count(most)}
      </text>
    </svg>
  );
}

function Pile({ bar, most, x, width }: { bar: Bar; most: number; x: number; width: number }) {
  let top = HEIGHT;
  return STATUSES.map((status) => {
    const many = bar.counts[status] ?? 0;
    if (many === 0) return null;
    // What is there is seen, however little it is.
    const height = Math.max(1.5, (many / most) * HEIGHT);
    top -= height;
    return (
      <rect
        key={status}
        x={`${x + width * 0.1}%`}
        width={`${width * 0.8}%`}
        y={top}
        height={height}
        className={STATUS_LOOKS[status].fill}
      />
    );
  });
}

function Axis({ bars }: { bars: readonly Bar[] }) {
  const first = bars[0]?.from ?? 0;
  const last = bars.at(-1)?.to ?? 0;
  return (
    <div className="mt-1 flex justify-between text-xs text-ink-3 tabular-nums" aria-hidden>
      {[first, (first + last) / 2, last].map((moment) => (
        <span key={moment}>{shortTime(moment, last - first)}</span>
      ))}
    </div>
  );
}

function totalWords(bars: readonly Bar[]): string {
  const total = bars.reduce((sum, bar) => sum + bar.total, 0);
  return total === 0 ? "None in this period." : `${count(total)} in all. Drag over the bars to look closer.`;
}

/** What some bars hold: their time, how many, by how they ended, and how long most took. */
function wordsOf(bars: readonly Bar[]): string {
  const [first] = bars;
  const end = bars.at(-1);
  if (first === undefined || end === undefined) return "";
  const parts = totalsOf(bars).map(
    ([status, many]) => `${count(many)} ${STATUS_LOOKS[status].name.toLowerCase()}`,
  );
  const p95 = bars.length === 1 ? first.p95Ms : null;
  return [
    `${exactTime(new Date(first.from)).replace(/:00(?=\D|$)/, "")} + ${duration(end.to - first.from)}`,
    parts.length === 0 ? "none" : parts.join(", "),
    ...(p95 === null ? [] : [`95 % within ${duration(p95)}`]),
  ].join(" · ");
}
