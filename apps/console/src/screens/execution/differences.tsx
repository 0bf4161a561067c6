import { type ReactNode, useMemo, useState } from "react";
import { Button } from "../../design/button.tsx";
import { JsonTree } from "../../design/json-tree.tsx";
import { Part } from "../../design/part.tsx";
import { Words } from "../../design/words.tsx";
import { diffJson, type JsonLine } from "./diff-json.ts";

/** Lines that are shown before somebody asks for more. */
const LINES_FIRST = 100;

const CELL = "min-w-0 px-2 py-1.5 align-top break-words sm:px-3";

interface Rows {
  title: string;
  heads: readonly [ReactNode, ReactNode];
  rows: readonly { name: string; a: string; b: string }[];
}

/** Values of two, by name; those that differ are marked. */
export const SideBySide = ({ title, heads, rows }: Rows) => (
  <Part title={title}>
    <Frame title={title} heads={heads}>
      {rows.map(({ name, a, b }) => (
        <tr key={name} className={a === b ? undefined : "bg-warn-soft"}>
          <th scope="row" className={`${CELL} text-left font-normal text-ink-2`}>
            {name}
            {a !== b && <span className="sr-only"> (differs)</span>}
          </th>
          {[a, b].map((value, side) => (
            <td key={side} className={CELL}>
              <Words text={value} />
            </td>
          ))}
        </tr>
      ))}
    </Frame>
  </Part>
);

const WORDS = {
  changed: "changed",
  added: "only in the second",
  removed: "only in the first",
  same: "",
} as const;
const LOOKS = { changed: "bg-warn-soft", added: "bg-good-soft", removed: "bg-bad-soft", same: "" } as const;

/** Where two JSON values differ, place by place; what is equal shows when somebody asks. */
export function Differences({ title, a, b }: { title: string; a: unknown; b: unknown }) {
  const { lines, isCut } = useMemo(() => diffJson(a, b), [a, b]);
  const [isAll, setAll] = useState(false);
  const [shown, setShown] = useState(LINES_FIRST);
  const differing = lines.filter(({ change }) => change !== "same");
  const wanted = isAll ? lines : differing;
  const equal = lines.length - differing.length;
  return (
    <Part
      title={title}
      aside={
        equal > 0 && (
          <Button look="quiet" isSmall onClick={() => setAll(!isAll)}>
            {isAll ? "Show what differs" : `Show what is equal too (${equal.toLocaleString()})`}
          </Button>
        )
      }
    >
      {wanted.length === 0 ? (
        <p className="rounded-lg border border-line bg-surface px-3 py-2 text-sm text-ink-3">
          They are equal.
        </p>
      ) : (
        <Frame title={title} heads={["First", "Second"]}>
          {wanted.slice(0, shown).map((line) => (
            <Line key={line.path} line={line} />
          ))}
        </Frame>
      )}
      {wanted.length > shown && (
        <Button className="mt-2" onClick={() => setShown(shown + LINES_FIRST)}>
          {(wanted.length - shown).toLocaleString()} more
        </Button>
      )}
      {isCut && <p className="mt-2 text-xs text-ink-3">They are too large to be compared to their end.</p>}
    </Part>
  );
}

const Line = ({ line: { path, change, a, b } }: { line: JsonLine }) => (
  <tr className={LOOKS[change]}>
    <th scope="row" className={`${CELL} text-left font-mono font-normal text-ink-2`}>
      <Words text={path === "" ? "all of it" : path} />
      {change !== "same" && <span className="block font-sans text-xs text-ink-2">{WORDS[change]}</span>}
    </th>
    <td className={CELL}>{change === "added" ? <None /> : <JsonTree value={a} />}</td>
    <td className={CELL}>{change === "removed" ? <None /> : <JsonTree value={b} />}</td>
  </tr>
);

const None = () => <span className="text-ink-3">–</span>;

const Frame = ({ title, heads, children }: Pick<Rows, "title" | "heads"> & { children: ReactNode }) => (
  <div className="overflow-hidden rounded-lg border border-line bg-surface" role="region" aria-label={title}>
    <table className="w-full table-fixed text-sm">
      <thead className="border-b border-line text-left text-xs text-ink-2">
        <tr>
          <th scope="col" className={`${CELL} w-24 font-medium sm:w-40`}>
            <span className="sr-only">What</span>
          </th>
          {heads.map((head, side) => (
            <th key={side} scope="col" className={`${CELL} font-medium`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">{children}</tbody>
    </table>
  </div>
);
