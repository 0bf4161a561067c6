import { CreateSchedule, UpdateSchedule } from "@bulkhead/contracts";
import { z } from "zod";
import { readAsked } from "../read-asked.ts";
import { SCHEDULE_ID_CHARS_MAX } from "./bounds.ts";

/** A call's context is that of the run which makes the schedule, and nothing that its code says. */
const OF_RUN = { context: true } as const;
const id = z.string().min(1).max(SCHEDULE_ID_CHARS_MAX);

const reader =
  <S extends z.ZodType>(schema: S) =>
  (said: unknown) =>
    readAsked(schema, said);

/** Reads what a run asks of schedules, within the bounds that hold over REST. */
export const readScheduleRequest = {
  create: reader(CreateSchedule.omit(OF_RUN)),
  update: reader(UpdateSchedule.omit(OF_RUN).extend({ id })),
  list: reader(z.strictObject({})),
  one: reader(z.strictObject({ id })),
};
