import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useSchedules } from "../../data/schedules.ts";
import { useMayWrite } from "../../data/session.ts";
import { Button } from "../../design/button.tsx";
import { Select } from "../../design/fields.tsx";
import { CalendarClock, Plus } from "../../design/icons.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading, NoneLikeThat, Picture } from "../../design/page-states.tsx";
import { SearchWords } from "../../design/search-words.tsx";
import { ScheduleForm } from "./schedule-form.tsx";
import { ScheduleRecord } from "./schedule-record.tsx";
import { matching, type ScheduleSearch, STATUSES, WORDS_CHARS_MAX } from "./schedule-search.ts";
import { ScheduleTable } from "./schedule-table.tsx";

const route = getRouteApi("/schedules");

type Change = (next: { [Name in keyof ScheduleSearch]?: ScheduleSearch[Name] | undefined }) => void;

/** Calls that are made again and again: what runs, when next, and how it went. */
export function Schedules() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useMayWrite();
  const [isMaking, setMaking] = useState(false);
  const change: Change = (next) =>
    void navigate({ search: (before) => ({ ...before, ...next }) as ScheduleSearch, replace: true });
  const create = mayWrite && (
    <Button look="primary" icon={Plus} onClick={() => setMaking(true)}>
      New schedule
    </Button>
  );
  return (
    <>
      <PageHead title="Schedules" actions={create}>
        <p className="-mt-2 mb-4 max-w-2xl text-ink-2">
          Tools that run by the calendar or every so often, without anybody asking.
        </p>
      </PageHead>
      <Found search={search} change={change} create={create} />
      {isMaking && (
        <ScheduleForm
          schedule={undefined}
          onClose={() => setMaking(false)}
          onSaved={({ id }) => {
            setMaking(false);
            change({ open: id });
          }}
        />
      )}
      {search.open !== undefined && (
        <ScheduleRecord key={search.open} id={search.open} onClose={() => change({ open: undefined })} />
      )}
    </>
  );
}

interface FoundProps {
  search: ScheduleSearch;
  change: Change;
  create: React.ReactNode;
}

function Found({ search, change, create }: FoundProps) {
  const { data: schedules, error, isPending, refetch } = useSchedules();
  if (isPending) return <Loading what="the schedules" />;
  if (schedules === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (schedules.length === 0)
    return (
      <Picture icon={CalendarClock} title="Nothing runs by itself yet" actions={create}>
        A schedule runs a tool with the same arguments again and again, such as a report every morning.
      </Picture>
    );
  const found = matching(schedules, search);
  return (
    <div className="p-4 md:px-6">
      <div className="mb-3 flex flex-wrap gap-2">
        <SearchWords
          label="Search schedules"
          placeholder="Search by name, tool or zone"
          words={search.q ?? ""}
          charsMax={WORDS_CHARS_MAX}
          change={(q) => change({ q })}
        />
        <Select
          aria-label="State"
          value={search.status ?? ""}
          onChange={({ target }) => change({ status: STATUSES.find((status) => status === target.value) })}
        >
          <option value="">Any state</option>
          <option value="active">Active</option>
          <option value="paused">Paused</option>
        </Select>
      </div>
      {found.length > 0 ? (
        <ScheduleTable schedules={found} openId={search.open} />
      ) : (
        <NoneLikeThat what="schedule" onClear={() => change({ q: undefined, status: undefined })} />
      )}
    </div>
  );
}
