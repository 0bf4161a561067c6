import { type CreateScheduleBody, hasEnded, type Schedule, type UpdateScheduleBody } from "@bulkhead/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api.ts";

const PAGE_SIZE = 200;
/** Of the latest executions that schedules of a tool made, so many are looked through for those of one. */
const LOOKED_THROUGH = 100;

/** All schedules, newest first; there are a thousand at most. */
export const useSchedules = () =>
  useQuery({
    queryKey: ["schedules", "list"],
    queryFn: async ({ signal }) => {
      const schedules: Schedule[] = [];
      for await (const schedule of api.schedules.list({ limit: PAGE_SIZE }, { signal }))
        schedules.push(schedule);
      return schedules;
    },
    // Events tell of their runs, not of changes by somebody else: whoever comes back sees those.
    staleTime: 0,
  });

/** One schedule; one that is about to be deleted is not asked for again. */
export const useSchedule = (id: string, isGoing: boolean) =>
  useQuery({
    queryKey: ["schedules", "one", id],
    enabled: !isGoing,
    queryFn: ({ signal }) => api.schedules.get(id, { signal }),
    staleTime: 0,
  });

/** How the latest run stands; one that has ended is not asked for again, however many others come. */
export const useLastRun = (executionId: string | undefined) =>
  useQuery({
    queryKey: ["schedules", "last", executionId],
    queryFn: ({ signal }) => api.executions.get(executionId ?? "", { signal }),
    enabled: ({ state: { data } }) =>
      executionId !== undefined && (data === undefined || !hasEnded(data.status)),
  });

/** The latest runs that a schedule made of its present tool. */
export const useScheduleRuns = ({ id, toolId }: Schedule) =>
  useQuery({
    queryKey: ["schedules", "runs", id, toolId],
    queryFn: async ({ signal }) => {
      const asked = { source: "schedule", tool: toolId, limit: LOOKED_THROUGH } as const;
      const { executions } = await api.executions.list(asked, { signal });
      return executions.filter(({ scheduleId }) => scheduleId === id);
    },
  });

const useScheduleChange = <Input, Answer>(
  change: (input: Input) => PromiseLike<Answer>,
  queryKey: readonly string[] = ["schedules"],
) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => await change(input),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
};

/** Makes a schedule, or changes the one that has this id. */
export const useSaveSchedule = (id: string | undefined) =>
  useScheduleChange((body: CreateScheduleBody & UpdateScheduleBody) =>
    id === undefined ? api.schedules.create(body) : api.schedules.update(id, body),
  );

export const useMoveSchedule = () =>
  useScheduleChange(({ id, status }: Schedule) =>
    status === "active" ? api.schedules.pause(id) : api.schedules.resume(id),
  );

export const useRunSchedule = () => useScheduleChange((id: string) => api.schedules.run(id));

/** Its record, which may still show, doesn't ask for it again. */
export const useDeleteSchedule = () =>
  useScheduleChange((id: string) => api.schedules.delete(id), ["schedules", "list"]);
