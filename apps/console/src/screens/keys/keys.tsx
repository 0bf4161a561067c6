import type { ApiKey } from "@bulkhead/client";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useDeleteKey, useKeys } from "../../data/keys.ts";
import { useMe } from "../../data/session.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { Refusal } from "../../design/fields.tsx";
import { KeyRound, Plus, RotateCw, Trash } from "../../design/icons.tsx";
import { notify } from "../../design/notices.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { type Column, Table } from "../../design/table.tsx";
import { When } from "../../design/when.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { CreateKey } from "./create-key.tsx";
import { standOf } from "./key-state.ts";
import { RotateKey } from "./rotate-key.tsx";

const route = getRouteApi("/keys");

type Open = { what: "create" } | { what: "rotate" | "delete"; key: ApiKey } | null;

/** The keys of the tenant: who may come in, as what, until when; a secret is shown once, when it is made. */
export function Keys() {
  const { create: isAsked, agent } = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<Open>(isAsked === true ? { what: "create" } : null);
  const { data: keys, error, isPending, refetch } = useKeys();
  const close = (): void => {
    setOpen(null);
    if (isAsked === true) void navigate({ search: {}, replace: true });
  };
  const create = (
    <Button look="primary" icon={Plus} onClick={() => setOpen({ what: "create" })}>
      New key
    </Button>
  );
  return (
    <>
      <PageHead title="Keys" actions={keys !== undefined && create}>
        <p className="-mt-2 mb-4 max-w-2xl text-ink-2">
          Each program and each person has a key of their own, so that one can be taken away alone.
        </p>
      </PageHead>
      {isPending ? (
        <Loading what="the keys" />
      ) : keys === undefined ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : keys.length === 0 ? (
        <Picture icon={KeyRound} title="There are no keys" actions={create}>
          You came in by another way; make a key for each program that calls tools.
        </Picture>
      ) : (
        <div className="p-4 md:px-6">
          <KeyTable keys={keys} open={setOpen} />
        </div>
      )}
      {open?.what === "create" && <CreateKey agent={agent} onClose={close} />}
      {open?.what === "rotate" && <RotateKey apiKey={open.key} onClose={close} />}
      {open?.what === "delete" && <DeleteKey apiKey={open.key} onClose={close} />}
    </>
  );
}

function KeyTable({ keys, open }: { keys: readonly ApiKey[]; open: (next: Open) => void }) {
  const own = useMe().key.id;
  const columns: readonly Column<ApiKey>[] = [
    {
      name: "Name",
      width: "minmax(8rem, 2fr)",
      cell: ({ id, name }) => (
        <span className="flex items-center gap-2">
          <span className="truncate font-medium">
            <Words text={name} />
          </span>
          {id === own && <Badge tone="info">You</Badge>}
        </span>
      ),
    },
    { name: "Role", width: "6rem", cell: ({ role }) => role },
    {
      name: "Agent",
      width: "minmax(6rem, 1fr)",
      from: "lg",
      cell: ({ agentId }) => (agentId === undefined ? "" : <Words text={agentId} />),
    },
    { name: "State", width: "8.5rem", from: "sm", cell: (key) => <State apiKey={key} /> },
    {
      name: "Last used",
      width: "8.5rem",
      from: "md",
      cell: ({ lastUsedAt }) =>
        lastUsedAt === undefined ? <span className="text-ink-3">never</span> : <When at={lastUsedAt} />,
    },
    { name: "Created", width: "8.5rem", from: "xl", cell: ({ createdAt }) => <When at={createdAt} /> },
    {
      name: "Actions",
      width: "4.5rem",
      head: <span className="sr-only">Actions</span>,
      cell: (key) => (
        <span className="flex justify-end gap-1">
          <Button
            look="quiet"
            icon={RotateCw}
            aria-label={`New secret for ${wordsLine(key.name)}`}
            title="Give it a new secret"
            onClick={() => open({ what: "rotate", key })}
          />
          <Button
            look="quiet"
            icon={Trash}
            aria-label={`Delete ${wordsLine(key.name)}`}
            title="Delete"
            onClick={() => open({ what: "delete", key })}
          />
        </span>
      ),
    },
  ];
  return <Table label="Keys" columns={columns} rows={keys} keyOf={({ id }) => id} />;
}

function State({ apiKey }: { apiKey: ApiKey }) {
  const stand = standOf(apiKey, new Date());
  switch (stand.state) {
    case "expired":
      return <Badge tone="bad">Expired</Badge>;
    case "expiring":
      return (
        <span className="text-warn">
          ends <When at={stand.at} />
        </span>
      );
    case "rotating":
      return (
        <span className="text-info">
          old one until <When at={stand.at} />
        </span>
      );
    case "open":
      return <Badge tone="good">Works</Badge>;
  }
}

function DeleteKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const remove = useDeleteKey();
  const isOwn = useMe().key.id === apiKey.id;
  const run = (): void =>
    remove.mutate(apiKey.id, {
      onSuccess: () => {
        notify("good", `The key ${apiKey.name} is gone.`);
        onClose();
      },
    });
  return (
    <Confirm
      title={`Delete ${apiKey.name}?`}
      does="Delete"
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={run}
    >
      Whoever uses it is refused at once, and what it follows ends.
      {isOwn && " It is your own: you are logged out."}
      <Refusal error={remove.error} />
    </Confirm>
  );
}
