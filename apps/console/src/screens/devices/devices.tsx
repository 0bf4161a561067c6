import type { DeviceSummary } from "@bulkhead/client";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useDevices } from "../../data/devices.ts";
import { useIsOwner } from "../../data/session.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Select } from "../../design/fields.tsx";
import { Laptop, Plus, RotateCw } from "../../design/icons.tsx";
import { PagedTable } from "../../design/next-page.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading, NoneLikeThat, Picture } from "../../design/page-states.tsx";
import { SearchWords } from "../../design/search-words.tsx";
import { type Column, ROW_LINK } from "../../design/table.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { DeviceRecord } from "./device-record.tsx";
import { type DeviceSearch, standOf, STATES, whoseOf, WORDS_CHARS_MAX } from "./device-search.ts";
import { PairDevice } from "./pair-device.tsx";

const route = getRouteApi("/devices");

type Change = (next: { [Name in keyof DeviceSearch]?: DeviceSearch[Name] | undefined }) => void;

/** Machines whose commands agents may invoke: which there are, whether they are there, what they offer. */
export function Devices() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isOwner = useIsOwner();
  const [isPairing, setPairing] = useState(false);
  const change: Change = (next) =>
    void navigate({ search: (before) => ({ ...before, ...next }) as DeviceSearch, replace: true });
  const pair = isOwner && (
    <Button look="primary" icon={Plus} onClick={() => setPairing(true)}>
      Pair a device
    </Button>
  );
  return (
    <>
      <PageHead title="Devices" actions={pair}>
        <p className="-mt-2 mb-4 max-w-2xl text-ink-2">
          Machines that offer commands of their own, which agents invoke by the tool nodes.
        </p>
      </PageHead>
      <Found search={search} change={change} pair={pair} />
      {isPairing && (
        <PairDevice
          onClose={() => setPairing(false)}
          onPaired={(id) => {
            setPairing(false);
            change({ open: id });
          }}
        />
      )}
      {search.open !== undefined && (
        <DeviceRecord key={search.open} id={search.open} onClose={() => change({ open: undefined })} />
      )}
    </>
  );
}

function Found({ search, change, pair }: { search: DeviceSearch; change: Change; pair: ReactNode }) {
  const { q, state } = search;
  const online = state === undefined ? undefined : state === "online" ? "true" : "false";
  const found = useDevices({ q, online });
  if (found.isPending) return <Loading what="the devices" />;
  if (found.data === undefined) return <Failed error={found.error} onRetry={() => void found.refetch()} />;
  const devices = found.data.pages.flatMap((page) => page.devices);
  const isNarrowed = q !== undefined || state !== undefined;
  if (devices.length === 0 && !isNarrowed)
    return (
      <Picture icon={Laptop} title="No device is paired yet" actions={pair}>
        {pair === false
          ? "An owner of the tenant makes a code that pairs a machine."
          : "Make a code here, and type it on the machine: bulkhead device pair <code>. Its commands stand in a file there, devices.json; nothing else of it can be run."}
      </Picture>
    );
  return (
    <div className="p-4 md:px-6">
      <div className="mb-3 flex flex-wrap gap-2">
        <SearchWords
          label="Search devices"
          placeholder="Search by name or platform"
          words={q ?? ""}
          charsMax={WORDS_CHARS_MAX}
          change={(words) => change({ q: words })}
        />
        <Select
          aria-label="State"
          value={state ?? ""}
          onChange={({ target }) => change({ state: STATES.find((one) => one === target.value) })}
        >
          <option value="">Any state</option>
          <option value="online">Online</option>
          <option value="offline">Not connected</option>
        </Select>
        <Button
          icon={RotateCw}
          isBusy={found.isRefetching}
          title="Look again who is connected"
          onClick={() => void found.refetch()}
        >
          Refresh
        </Button>
      </div>
      {devices.length > 0 ? (
        <PagedTable
          found={found}
          label="Devices"
          columns={COLUMNS}
          rows={devices}
          keyOf={({ id }) => id}
          isSelected={({ id }) => id === search.open}
        />
      ) : (
        <NoneLikeThat what="device" onClear={() => change({ q: undefined, state: undefined })} />
      )}
    </div>
  );
}

const COLUMNS: readonly Column<DeviceSummary>[] = [
  {
    name: "Device",
    width: "minmax(8rem, 2fr)",
    cell: ({ id, name }) => (
      <Link from="/devices" to="." search={(before) => ({ ...before, open: id })} replace {...ROW_LINK}>
        <Words text={name} />
      </Link>
    ),
  },
  {
    name: "State",
    width: "7rem",
    cell: (device) => {
      const { name, tone } = standOf(device);
      return (
        <Badge tone={tone} hasDot>
          {name}
        </Badge>
      );
    },
  },
  {
    name: "Commands",
    width: "minmax(8rem, 2fr)",
    from: "md",
    cell: ({ commandNames }) =>
      commandNames.length === 0 ? (
        <span className="text-ink-3">none yet</span>
      ) : (
        <Words text={commandNames.join(", ")} />
      ),
  },
  {
    name: "For",
    width: "minmax(8rem, 1.5fr)",
    from: "lg",
    cell: (device) => <Words text={whoseOf(device)} />,
  },
  {
    name: "Last seen",
    width: "8.5rem",
    from: "sm",
    cell: ({ lastSeenAt }) =>
      lastSeenAt === undefined ? <span className="text-ink-3">never</span> : <When at={lastSeenAt} />,
  },
  {
    name: "Platform",
    width: "7rem",
    from: "xl",
    cell: ({ platform }) => (platform === undefined ? "" : <Words text={platform} />),
  },
];
