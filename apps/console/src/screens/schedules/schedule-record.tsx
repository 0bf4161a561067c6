import type { Schedule } from "@bulkhead/client";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { wordsOf } from "../../data/api.ts";
import { useDeleteSchedule, useMoveSchedule, useRunSchedule, useSchedule } from "../../data/schedules.ts";
import { useMayWrite } from "../../data/session.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Refusal } from "../../design/fields.tsx";
import { Pause, Pencil, Play, CirclePlay, Trash } from "../../design/icons.tsx";
import { notify } from "../../design/notices.tsx";
import { Failed, Loading } from "../../design/page-states.tsx";
import { Words } from "../../design/words.tsx";
import { ScheduleDetails } from "./schedule-details.tsx";
import { ScheduleForm } from "./schedule-form.tsx";

interface Props {
  id: string;
  onClose: () => void;
}

/** One schedule beside the list: its plan, its next runs, its history, and what can be done with it. */
export function ScheduleRecord({ id, onClose }: Props) {
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const { data: schedule, error, isPending, refetch } = useSchedule(id, open === "delete");
  if (open === "edit" && schedule !== undefined)
    return <ScheduleForm schedule={schedule} onClose={() => setOpen(null)} onSaved={() => setOpen(null)} />;
  if (open === "delete" && schedule !== undefined)
    return <DeleteSchedule schedule={schedule} onClose={() => setOpen(null)} onGone={onClose} />;
  return (
    <Dialog
      title={schedule === undefined ? "Schedule" : <Title schedule={schedule} />}
      place="side"
      onClose={onClose}
      actions={schedule !== undefined && <Actions schedule={schedule} open={setOpen} />}
    >
      {isPending ? (
        <Loading what="the schedule" />
      ) : schedule === undefined ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <ScheduleDetails schedule={schedule} />
      )}
    </Dialog>
  );
}

const Title = ({ schedule: { name, toolName, status } }: { schedule: Schedule }) => (
  <span className="flex flex-wrap items-center gap-2">
    <Words text={name ?? toolName} />
    <Badge tone={status === "active" ? "good" : "calm"} hasDot>
      {status === "active" ? "Active" : "Paused"}
    </Badge>
  </span>
);

interface ActionProps {
  schedule: Schedule;
  open: (what: "edit" | "delete") => void;
}

function Actions({ schedule, open }: ActionProps) {
  const mayWrite = useMayWrite();
  const navigate = useNavigate();
  const move = useMoveSchedule();
  const run = useRunSchedule();
  const isActive = schedule.status === "active";
  if (!mayWrite) return null;
  const failed = (what: string) => (error: Error) => notify("bad", `${what} ${wordsOf(error)}`);
  return (
    <>
      <Button look="danger" icon={Trash} className="mr-auto" onClick={() => open("delete")}>
        Delete
      </Button>
      <Button icon={Pencil} onClick={() => open("edit")}>
        Edit
      </Button>
      <Button
        icon={isActive ? Pause : Play}
        isBusy={move.isPending}
        onClick={() =>
          move.mutate(schedule, {
            onError: failed(isActive ? "It could not be paused." : "It could not be resumed."),
          })
        }
      >
        {isActive ? "Pause" : "Resume"}
      </Button>
      <Button
        look="primary"
        icon={CirclePlay}
        isBusy={run.isPending}
        onClick={() =>
          run.mutate(schedule.id, {
            onSuccess: ({ executionId }) =>
              void navigate({ to: "/executions/$executionId", params: { executionId } }),
            onError: failed("It could not be run."),
          })
        }
      >
        Run now
      </Button>
    </>
  );
}

function DeleteSchedule({
  schedule,
  onClose,
  onGone,
}: Omit<Props, "id"> & { schedule: Schedule; onGone: () => void }) {
  const remove = useDeleteSchedule();
  const { id, name, toolName } = schedule;
  const run = (): void =>
    remove.mutate(id, {
      onSuccess: () => {
        notify("good", `The schedule ${name ?? toolName} is gone.`);
        onGone();
      },
    });
  return (
    <Confirm
      title={
        <>
          Delete <Words text={name ?? toolName} />?
        </>
      }
      does="Delete the schedule"
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={run}
    >
      It runs nothing any more. What it ran stays among the executions; a pause keeps the schedule itself.
      <Refusal error={remove.error} />
    </Confirm>
  );
}
