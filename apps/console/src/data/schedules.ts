import { type CreateScheduleBody, type Schedule, type UpdateScheduleBody } from "@bulkhead/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api.ts";

const PAGE_SIZE = 200;

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
  });

/** One schedule; one that is about to be deleted is not asked for again. */
export const useSchedule = (id: string, isGoing: boolean) =>
  useQuery({
    queryKey: ["schedules", "one", id],
    enabled: !isGoing,
    queryFn: ({ signal }) => api.schedules.get(id, { signal }),
  });

/** The latest runs of a schedule. */
export const useScheduleRuns = (scheduleId: string, limit: number) =>
  useQuery({
    queryKey: ["schedules", "runs", scheduleId, limit],
    queryFn: async ({ signal }) => (await api.executions.list({ scheduleId, limit }, { signal })).executions,
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
