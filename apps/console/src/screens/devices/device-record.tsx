import type { Device } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { wordsOf } from "../../data/api.ts";
import { useDevice, useRemoveDevice, useUpdateDevice } from "../../data/devices.ts";
import { useIsOwner } from "../../data/session.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { LINK } from "../../design/classes.ts";
import { Confirm } from "../../design/confirm.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, Refusal, TextInput } from "../../design/fields.tsx";
import { FormDialog } from "../../design/form-dialog.tsx";
import { Pencil, Power, Trash } from "../../design/icons.tsx";
import { notify } from "../../design/notices.tsx";
import { Failed, Loading } from "../../design/page-states.tsx";
import { Facts, Part } from "../../design/part.tsx";
import { When } from "../../design/when.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { SchemaTree } from "../tool/schema-tree.tsx";
import { standOf, whoseOf, WORDS_CHARS_MAX } from "./device-search.ts";

interface Props {
  id: string;
  onClose: () => void;
}

/** One device beside the list: what it offers, whose it is, and what an owner does with it. */
export function DeviceRecord({ id, onClose }: Props) {
  const [open, setOpen] = useState<"rename" | "remove" | null>(null);
  const { data: device, error, isPending, refetch } = useDevice(id, open === "remove");
  const close = (): void => setOpen(null);
  if (open === "rename" && device !== undefined) return <Rename device={device} onClose={close} />;
  if (open === "remove" && device !== undefined)
    return <Remove device={device} onClose={close} onGone={onClose} />;
  return (
    <Dialog
      title={device === undefined ? "Device" : <Title device={device} />}
      place="side"
      onClose={onClose}
      actions={device !== undefined && <Actions device={device} open={setOpen} />}
    >
      {isPending ? (
        <Loading what="the device" />
      ) : device === undefined ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="flex flex-col gap-5">
          <Facts facts={factsOf(device)} />
          <Part title="Commands" aside={<Runs />}>
            <Commands device={device} />
          </Part>
        </div>
      )}
    </Dialog>
  );
}

function Title({ device }: { device: Device }) {
  const { name, tone } = standOf(device);
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Words text={device.name} />
      <Badge tone={tone} hasDot>
        {name}
      </Badge>
    </span>
  );
}

const Runs = () => (
  <Link to="/executions" search={{ tool: "nodes", period: "any" }} className={`text-sm ${LINK}`}>
    Executions of nodes
  </Link>
);

const factsOf = (device: Device): (readonly [string, ReactNode])[] => [
  ["Last seen", device.lastSeenAt === undefined ? "never" : <When at={device.lastSeenAt} />],
  ["Used by", <Words text={whoseOf(device)} />],
  ...(device.platform === undefined ? [] : [["Platform", <Words text={device.platform} />] as const]),
  ["Paired", <When at={device.createdAt} />],
  [
    "By the code of",
    <Link to="/audit" search={{ key: device.pairedBy }} className={`font-mono text-xs ${LINK}`}>
      {device.pairedBy}
    </Link>,
  ],
  ["Id", <span className="font-mono text-xs break-all">{device.id}</span>],
];

/** In the device's own words, which are a stranger's. */
function Commands({ device: { commands } }: { device: Device }) {
  if (commands.length === 0)
    return (
      <p className="text-sm text-ink-3">
        None yet: it says what it offers when it is connected (bulkhead device run).
      </p>
    );
  return (
    <ul aria-label="Commands" className="flex flex-col gap-3">
      {commands.map(({ name, description, parameters }) => (
        <li key={name} className="min-w-0 rounded-lg border border-line bg-surface px-3 py-2.5 text-sm">
          <p className="font-mono font-medium break-all">
            <Words text={name} />
          </p>
          <p className="mt-0.5 break-words text-ink-2">
            <Words text={description} />
          </p>
          {parameters !== undefined && (
            <details className="mt-2">
              <summary className="cursor-pointer text-xs text-ink-3 hover:text-ink-2">Its arguments</summary>
              <div className="mt-2">
                <SchemaTree schema={parameters} />
              </div>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function Actions({ device, open }: { device: Device; open: (what: "rename" | "remove") => void }) {
  const isOwner = useIsOwner();
  const update = useUpdateDevice(device.id);
  if (!isOwner) return null;
  const { enabled } = device;
  const turn = (): void =>
    update.mutate(
      { enabled: !enabled },
      { onError: (error) => notify("bad", `It could not be changed. ${wordsOf(error)}`) },
    );
  return (
    <>
      <Button look="danger" icon={Trash} className="mr-auto" onClick={() => open("remove")}>
        Remove
      </Button>
      <Button icon={Pencil} onClick={() => open("rename")}>
        Rename
      </Button>
      <Button
        icon={Power}
        isBusy={update.isPending}
        title={enabled ? "Its connection ends, and agents don't see it" : "It may connect again"}
        onClick={turn}
      >
        {enabled ? "Disable" : "Enable"}
      </Button>
    </>
  );
}

function Rename({ device, onClose }: { device: Device; onClose: () => void }) {
  const [name, setName] = useState(device.name);
  const update = useUpdateDevice(device.id);
  const submit = (): void => {
    update.mutate({ name: name.trim() }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title="Rename the device"
      onClose={onClose}
      does="Rename"
      isBusy={update.isPending}
      cannotSend={name.trim() === "" || name.trim() === device.name}
      onSubmit={submit}
    >
      <Field label="Name" hint="Agents name it by this, where no other device has it.">
        {(tie) => (
          <TextInput
            {...tie}
            data-first
            value={name}
            maxLength={WORDS_CHARS_MAX}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Refusal error={update.error} />
    </FormDialog>
  );
}

function Remove({ device, onClose, onGone }: { device: Device; onClose: () => void; onGone: () => void }) {
  const remove = useRemoveDevice();
  const run = (): void =>
    remove.mutate(device.id, {
      onSuccess: () => {
        notify("good", `The device ${wordsLine(device.name)} is gone.`);
        onGone();
      },
    });
  return (
    <Confirm
      title={`Remove ${device.name}?`}
      does="Remove"
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={run}
    >
      Its connection ends at once, and its token opens nothing any more. A new code pairs it anew.
      <Refusal error={remove.error} />
    </Confirm>
  );
}
