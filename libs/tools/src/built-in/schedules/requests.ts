import { CreateSchedule, UpdateSchedule } from "@bulkhead/contracts";
import type { EffectRefusal } from "@bulkhead/core";
import { z } from "zod";
import { SCHEDULE_ID_CHARS_MAX } from "./bounds.ts";

/** A call's context is that of the run which makes the schedule, and nothing that its code says. */
const OF_RUN = { context: true } as const;
const id = z.string().min(1).max(SCHEDULE_ID_CHARS_MAX);

type Read<T> = { ok: true; asked: T } | { ok: false; code: EffectRefusal; message: string };

const reader =
  <T>(schema: z.ZodType<T>) =>
  (said: unknown): Read<T> => {
    const read = schema.safeParse(said);
    if (read.success) return { ok: true, asked: read.data };
    const [issue] = read.error.issues;
    const where = issue?.path.join(".") ?? "";
    const message = `${where === "" ? "the arguments" : where}: ${issue?.message ?? "are invalid"}`;
    return { ok: false, code: "invalid_request", message };
  };

/** Reads what a run asks of schedules, within the bounds that hold over REST. */
export const readScheduleRequest = {
  create: reader(CreateSchedule.omit(OF_RUN)),
  update: reader(UpdateSchedule.omit(OF_RUN).extend({ id })),
  list: reader(z.strictObject({})),
  one: reader(z.strictObject({ id })),
};
