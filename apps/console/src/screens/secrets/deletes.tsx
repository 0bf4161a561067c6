import type { ConfigEntry, ConfigService } from "@bulkhead/client";
import { useDeleteEntry, useDeleteService } from "../../data/services.ts";
import { Confirm } from "../../design/confirm.tsx";
import { Refusal } from "../../design/fields.tsx";
import { notify } from "../../design/notices.tsx";
import { Words } from "../../design/words.tsx";
import { someOf } from "./service-words.ts";

const TOOLS_SHOWN = 6;

/** What will miss something: the tools that need the service. */
const Missed = ({ tools = [] }: { tools: string[] | undefined }) =>
  tools.length > 0 && (
    <p className="mt-2">
      {tools.length === 1 ? "One tool needs it" : `${tools.length} tools need it`}:{" "}
      <span className="font-mono text-xs">
        <Words text={someOf(tools, TOOLS_SHOWN)} />
      </span>
      .
    </p>
  );

interface ServiceProps {
  service: ConfigService;
  onClose: () => void;
}

export function DeleteService({ service, onClose, onGone }: ServiceProps & { onGone: () => void }) {
  const remove = useDeleteService(service.name);
  const { name, displayName = name, entries, tools } = service;
  const run = (): void =>
    remove.mutate(undefined, {
      onSuccess: () => {
        notify("good", `The service ${displayName} is gone.`);
        onGone();
      },
    });
  return (
    <Confirm
      title={`Delete ${name}?`}
      does="Delete the service"
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={run}
    >
      {entries.length === 0
        ? "Nothing is filled in; the service itself goes."
        : `Its ${entries.length === 1 ? "entry goes" : `${entries.length} entries go`} with it, secrets too. They can't be had back.`}
      <Missed tools={tools} />
      <Refusal error={remove.error} />
    </Confirm>
  );
}

export function DeleteEntry({ service, entry, onClose }: ServiceProps & { entry: ConfigEntry }) {
  const remove = useDeleteEntry(service.name);
  const others = service.entries.filter(({ label }) => label !== entry.label);
  const run = (): void =>
    remove.mutate(entry.label, {
      onSuccess: () => {
        notify("good", `The entry ${entry.label} is gone.`);
        onClose();
      },
    });
  return (
    <Confirm
      title={
        <>
          Delete the entry <Words text={entry.label} />?
        </>
      }
      does="Delete the entry"
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={run}
    >
      Its secrets go with it, and can't be had back.
      {entry.isDefault && others[0] !== undefined && (
        <>
          {" "}
          The oldest of the others, <Words text={others[0].label} />, becomes the default.
        </>
      )}
      <Missed tools={service.tools} />
      <Refusal error={remove.error} />
    </Confirm>
  );
}
