import { Link } from "@tanstack/react-router";
import { Badge } from "../../design/badge.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Facts } from "../../design/part.tsx";
import { type Column, ROW_LINK, Table } from "../../design/table.tsx";
import { Words } from "../../design/words.tsx";
import { type ExplainedTool, isChangedBy, whyOf } from "./explained-rows.ts";

interface Props {
  tools: readonly ExplainedTool[];
  /** The name of the tool that is open. */
  open: string | undefined;
  onClose: () => void;
}

/** Tools with in or out, by what, and what the draft makes of it. */
export function ExplainedTable({ tools, open, onClose }: Props) {
  const hasDraft = tools.some(({ candidate }) => candidate !== undefined);
  const tool = tools.find(({ name }) => name === open);
  return (
    <>
      <Table
        label="Tools for this asker"
        columns={hasDraft ? [...COLUMNS.slice(0, 2), DRAFT, ...COLUMNS.slice(2)] : COLUMNS}
        rows={tools}
        keyOf={({ name }) => name}
        isSelected={({ name }) => name === open}
      />
      {tool !== undefined && <Why tool={tool} onClose={onClose} />}
    </>
  );
}

const Mark = ({ isIn }: { isIn: boolean }) => (
  <Badge tone={isIn ? "good" : "calm"} hasDot>
    {isIn ? "In" : "Out"}
  </Badge>
);

const COLUMNS: readonly Column<ExplainedTool>[] = [
  {
    name: "Tool",
    width: "minmax(7rem, 1fr)",
    cell: ({ name }) => (
      <Link
        to="/policy"
        search={(before) => ({ ...before, tool: name })}
        replace
        resetScroll={false}
        {...ROW_LINK}
      >
        <span className="font-mono">
          <Words text={name} />
        </span>
      </Link>
    ),
  },
  { name: "Now", width: "4rem", cell: ({ allowed }) => <Mark isIn={allowed} /> },
  {
    name: "Why",
    width: "minmax(12rem, 2fr)",
    from: "md",
    cell: (tool) => (
      <span className="text-ink-2">
        <Words text={whyOf(isChangedBy(tool) ? (tool.candidate?.why ?? tool.why) : tool.why)} />
      </span>
    ),
  },
];

const DRAFT: Column<ExplainedTool> = {
  name: "Once saved",
  width: "6rem",
  cell: ({ allowed, candidate }) =>
    candidate === undefined || candidate.allowed === allowed ? (
      <span className="text-ink-3">the same</span>
    ) : (
      <Badge tone={candidate.allowed ? "good" : "bad"} hasDot>
        {candidate.allowed ? "Given" : "Taken"}
      </Badge>
    ),
};

/** One tool: what had the last word of it. */
const Why = ({
  tool: { name, status, candidate, ...now },
  onClose,
}: {
  tool: ExplainedTool;
  onClose: () => void;
}) => (
  <Dialog title={<Words text={name} />} onClose={onClose}>
    <div className="flex flex-col gap-4">
      <Verdict title="As it is now" verdict={now} />
      {candidate !== undefined && <Verdict title="Once what is written is saved" verdict={candidate} />}
      {status !== "active" && (
        <p className="text-sm text-ink-2">
          The tool is {status.replaceAll("_", " ")}: nobody is given it before it is active.
        </p>
      )}
    </div>
  </Dialog>
);

const Verdict = ({
  title,
  verdict: { allowed, step, entry, why },
}: {
  title: string;
  verdict: Pick<ExplainedTool, "allowed" | "step" | "entry" | "why">;
}) => (
  <section>
    <h3 className="mb-1 flex items-center gap-2 text-sm font-semibold">
      {title} <Mark isIn={allowed} />
    </h3>
    <Facts
      facts={[
        ["Last word", step === undefined ? "No list speaks of it" : <Words text={step} />],
        ...(step === undefined
          ? []
          : [["By the entry", entry === undefined ? "By not naming it" : <Words text={entry} />] as const]),
        ["In one line", <Words text={why} />],
      ]}
    />
  </section>
);
