import { Link } from "@tanstack/react-router";
import type { ImportedTool } from "../../../data/import-tools.ts";
import { Badge, type Tone } from "../../../design/badge.tsx";
import { Words } from "../../../design/words.tsx";

const OUTCOMES: Readonly<Record<ImportedTool["outcome"], { plan: string; done: string; tone: Tone }>> = {
  failed: { plan: "Refused", done: "Refused", tone: "bad" },
  created: { plan: "Creates", done: "Created", tone: "good" },
  updated: { plan: "Updates", done: "Updated", tone: "info" },
  deleted: { plan: "Deletes", done: "Deleted", tone: "bad" },
  skipped: { plan: "Leaves alone", done: "Left alone", tone: "calm" },
  unchanged: { plan: "Unchanged", done: "Unchanged", tone: "calm" },
};

interface Props {
  tools: readonly ImportedTool[];
  /** Of what could not even be sent. */
  faults: readonly { path: string; message: string }[];
  isDone: boolean;
}

/** What is done to each folder's tool; what is refused stands first, with every fault. */
export function ImportPlan({ tools, faults, isDone }: Props) {
  const order = Object.keys(OUTCOMES);
  const sorted = [...tools].sort((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome));
  return (
    <>
      {faults.length > 0 && <Faults faults={faults} />}
      {sorted.length > 0 && (
        <ul
          aria-label={isDone ? "What was done" : "What would be done"}
          className="divide-y divide-line text-sm"
        >
          {sorted.map((tool) => (
            <Row key={tool.folder} tool={tool} isDone={isDone} />
          ))}
        </ul>
      )}
    </>
  );
}

function Row({ tool, isDone }: { tool: ImportedTool; isDone: boolean }) {
  const {
    folder,
    name = folder,
    id,
    outcome,
    changed = [],
    error,
    status,
    permissions = [],
    warnings = [],
  } = tool;
  const { plan, done, tone } = OUTCOMES[outcome];
  const errors = error?.errors ?? [];
  return (
    <li className="py-2.5">
      <div className="flex items-center gap-3">
        <span className="min-w-0 flex-1 font-mono font-semibold break-all">
          {isDone && id !== undefined ? (
            <Link to="/tools/$toolId" params={{ toolId: id }} className="hover:underline">
              <Words text={name} />
            </Link>
          ) : (
            <Words text={name} />
          )}
        </span>
        {status === "pending_approval" && <Badge tone="warn">waits for approval</Badge>}
        <Badge tone={tone}>{isDone ? done : plan}</Badge>
      </div>
      {changed.length > 0 && <Line>Changes {changed.join(", ")}</Line>}
      {permissions.length > 0 && <Line>May use {permissions.join(", ")}</Line>}
      {warnings.map((warning) => (
        <Line key={warning}>{warning}</Line>
      ))}
      {error !== undefined && errors.length === 0 && <Line isBad>{error.message}</Line>}
      {errors.length > 0 && <Faults faults={errors} />}
    </li>
  );
}

const Line = ({ isBad = false, children }: { isBad?: boolean; children: string | (string | number)[] }) => (
  <p className={`mt-0.5 text-xs break-words ${isBad ? "text-bad" : "text-ink-2"}`}>
    <Words text={Array.isArray(children) ? children.join("") : children} />
  </p>
);

const Faults = ({ faults }: { faults: Props["faults"] }) => (
  <ul className="mt-1 mb-1 flex flex-col gap-1 rounded-md bg-bad-soft px-3 py-2 text-xs">
    {faults.map(({ path, message }) => (
      <li key={`${path} ${message}`} className="break-words">
        <span className="font-mono">
          <Words text={path} />
        </span>{" "}
        <Words text={message} />
      </li>
    ))}
  </ul>
);
