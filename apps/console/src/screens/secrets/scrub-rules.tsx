import type { ListScrubRulesAnswer, ScrubRule } from "@bulkhead/client";
import { useState } from "react";
import { useDeleteScrubRule, useScrubRules } from "../../data/scrub-rules.ts";
import { useMayWrite } from "../../data/session.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { Refusal } from "../../design/fields.tsx";
import { Plus, ScrollText, Trash } from "../../design/icons.tsx";
import { notify } from "../../design/notices.tsx";
import { Part } from "../../design/part.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { type Column, Table } from "../../design/table.tsx";
import { When } from "../../design/when.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { count } from "../../format/numbers.ts";
import { CreateRule } from "./create-rule.tsx";

type Open = { what: "create" } | { what: "delete"; rule: ScrubRule } | null;

/** What is covered in logs, results and errors beside the secrets of services, and how often that happened. */
export function ScrubRules() {
  const [open, setOpen] = useState<Open>(null);
  const { data, error, isPending, refetch } = useScrubRules();
  const mayWrite = useMayWrite();
  if (isPending) return <Loading what="the rules" />;
  if (data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  const create = mayWrite && (
    <Button icon={Plus} onClick={() => setOpen({ what: "create" })}>
      New rule
    </Button>
  );
  return (
    <div className="flex flex-col gap-6 p-4 md:px-6">
      {data.rules.length === 0 ? (
        <Picture icon={ScrollText} title="There is no rule yet" actions={create}>
          Secrets of services are covered in all that tools say, without any rule. A rule covers more, such as
          numbers of customers.
        </Picture>
      ) : (
        <Part title="Rules" aside={create}>
          <RuleTable answer={data} remove={(rule) => setOpen({ what: "delete", rule })} />
        </Part>
      )}
      {data.counts.length > 0 && (
        <Part title="Covered so far">
          <Counts counts={data.counts} />
        </Part>
      )}
      {open?.what === "create" && <CreateRule onClose={() => setOpen(null)} />}
      {open?.what === "delete" && <DeleteRule rule={open.rule} onClose={() => setOpen(null)} />}
    </div>
  );
}

interface TableProps {
  answer: ListScrubRulesAnswer;
  remove: (rule: ScrubRule) => void;
}

function RuleTable({ answer: { rules, counts }, remove }: TableProps) {
  const mayWrite = useMayWrite();
  const matches = new Map(counts.map(({ kind, count: times }) => [kind, times]));
  const columns: readonly Column<ScrubRule>[] = [
    {
      name: "Rule",
      width: "minmax(7rem, 1fr)",
      cell: ({ name }) => <span className="font-medium">{name}</span>,
    },
    {
      name: "Covers",
      width: "minmax(7rem, 2fr)",
      cell: ({ pattern, wholeWordsOnly }) =>
        pattern === undefined ? (
          <span className="flex items-center gap-2 text-ink-2">
            one value {wholeWordsOnly && <Badge tone="warn">Whole words only</Badge>}
          </span>
        ) : (
          <span className="font-mono text-xs" title={wordsLine(pattern)}>
            <Words text={pattern} />
          </span>
        ),
    },
    {
      name: "Covered",
      width: "5rem",
      from: "sm",
      isNumber: true,
      cell: ({ name, kind }) => (kind === "value" ? "" : count(matches.get(`rule:${name}`) ?? 0)),
    },
    { name: "Created", width: "8.5rem", from: "md", cell: ({ createdAt }) => <When at={createdAt} /> },
    ...(mayWrite
      ? [
          {
            name: "Actions",
            width: "2rem",
            head: <span className="sr-only">Actions</span>,
            cell: (rule: ScrubRule) => (
              <Button
                look="quiet"
                icon={Trash}
                aria-label={`Delete ${rule.name}`}
                title="Delete"
                onClick={() => remove(rule)}
              />
            ),
          },
        ]
      : []),
  ];
  return <Table label="Scrub rules" columns={columns} rows={rules} keyOf={({ id }) => id} />;
}

/** `value` and `rule:<name>` as people say it; else it is the name of a kind of credential. */
const kindWords = (kind: string): string =>
  kind === "value"
    ? "Secrets and exact values"
    : kind.startsWith("rule:")
      ? `Rule ${kind.slice("rule:".length)}`
      : kind.replaceAll("_", " ");

const Counts = ({ counts }: Pick<ListScrubRulesAnswer, "counts">) => (
  <dl className="grid max-w-md grid-cols-[1fr_auto] gap-x-6 gap-y-1 text-sm">
    {counts.map(({ kind, count: times }) => (
      <div key={kind} className="contents">
        <dt className="text-ink-2">
          <Words text={kindWords(kind)} />
        </dt>
        <dd className="text-right tabular-nums">{count(times)}</dd>
      </div>
    ))}
  </dl>
);

function DeleteRule({ rule, onClose }: { rule: ScrubRule; onClose: () => void }) {
  const remove = useDeleteScrubRule();
  const run = (): void =>
    remove.mutate(rule.id, {
      onSuccess: () => {
        notify("good", `The rule ${rule.name} is gone.`);
        onClose();
      },
    });
  return (
    <Confirm
      title={`Delete the rule ${rule.name}?`}
      does="Delete the rule"
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={run}
    >
      From the next run on, what it covers is shown. What was covered stays covered.
      <Refusal error={remove.error} />
    </Confirm>
  );
}
