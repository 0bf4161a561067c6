import {
  compact,
  Fault,
  type CapabilityAnswer,
  type CapabilityCaller,
  type CapabilityFamily,
  type JsonObject,
  type Schedule,
  type ScheduleStatus,
} from "@bulkhead/core";
import { readScheduleRequest } from "@bulkhead/tools/built-in";
import { setStatus, updateFound } from "../change-schedule.ts";
import { createSchedule } from "../create-schedule.ts";
import { deleteFound } from "../read-schedules.ts";
import { contextOf, findMaker, ownerOf, type MakerDeps } from "./find-maker.ts";
import { tellSchedule } from "./tell-schedule.ts";
import { findSchedulable, type SchedulableDeps } from "./what-may-run.ts";
import type { ScheduleDeps } from "../schedule-deps.ts";

export interface ToolScheduleDeps extends Omit<ScheduleDeps, "submitScheduled">, MakerDeps, SchedulableDeps {}

type Operate = (
  deps: ToolScheduleDeps,
  caller: CapabilityCaller,
  args: JsonObject,
) => Promise<CapabilityAnswer>;

const answered = (value: JsonObject): CapabilityAnswer => ({ ok: true, value });

const create: Operate = async (deps, caller, args) => {
  const read = readScheduleRequest.create(args);
  if (!read.ok) return read;
  const { name = null, ...asked } = read.asked;
  const { principal, owner } = await findMaker(deps, caller);
  const found = await findSchedulable(deps, caller.run, asked.tool, asked.arguments);
  if (!found.ok) return found;
  const request = { ...asked, name, tool: found.tool.id, context: contextOf(caller) };
  return answered(tellSchedule(await createSchedule(deps, principal, request, owner.madeByTool)));
};

const list: Operate = async (deps, caller, args) => {
  const read = readScheduleRequest.list(args);
  if (!read.ok) return read;
  return answered({ schedules: (await deps.schedules.listOwned(ownerOf(caller))).map(tellSchedule) });
};

const update: Operate = async (deps, caller, args) => {
  const read = readScheduleRequest.update(args);
  if (!read.ok) return read;
  const { id, tool, ...change } = read.asked;
  const { principal } = await findMaker(deps, caller);
  const schedule = await findOwned(deps, caller, id);
  requireSameKey(schedule, principal.keyId);
  const isCall = tool !== undefined || change.arguments !== undefined;
  const found = isCall
    ? await findSchedulable(deps, caller.run, tool ?? schedule.toolId, change.arguments ?? schedule.arguments)
    : null;
  if (found?.ok === false) return found;
  const request = { ...compact(change), ...(tool !== undefined && found && { tool: found.tool.id }) };
  return answered(tellSchedule(await updateFound(deps, principal, schedule, request)));
};

const remove: Operate = async (deps, caller, args) => {
  const read = readScheduleRequest.one(args);
  if (!read.ok) return read;
  const { principal, owner } = await findMaker(deps, caller);
  const [schedule] = await deps.schedules.listOwned(owner, read.asked.id);
  return answered({ removed: schedule !== undefined && (await deleteFound(deps, principal, schedule)) });
};

const move =
  (status: ScheduleStatus): Operate =>
  async (deps, caller, args) => {
    const read = readScheduleRequest.one(args);
    if (!read.ok) return read;
    const { principal } = await findMaker(deps, caller);
    const schedule = await findOwned(deps, caller, read.asked.id);
    if (status === "active") requireSameKey(schedule, principal.keyId);
    return answered(tellSchedule(await setStatus(deps, principal, schedule, status)));
  };

const OPERATIONS: ReadonlyMap<string, Operate> = new Map([
  ["create", create],
  ["list", list],
  ["update", update],
  ["remove", remove],
  ["pause", move("paused")],
  ["resume", move("active")],
]);

/** The capability `schedule`: the schedules that runs of the caller's tool made for its agent and its user. */
export const openToolSchedules = (deps: ToolScheduleDeps): CapabilityFamily => ({
  operations: new Map([...OPERATIONS.keys()].map((name) => [name, name === "list" ? "reads" : "writes"])),
  async run({ operation: name, arguments: args }, caller) {
    const operate = OPERATIONS.get(name);
    if (operate) return operate(deps, caller, args);
    return { ok: false, code: "invalid_request", message: `there is no operation ${name}` };
  },
});

/** Throws `schedule.not_found`. */
async function findOwned(
  { schedules }: Pick<ToolScheduleDeps, "schedules">,
  caller: CapabilityCaller,
  scheduleId: string,
): Promise<Schedule> {
  const [schedule] = await schedules.listOwned(ownerOf(caller), scheduleId);
  if (!schedule)
    throw new Fault("schedule.not_found", { detail: "You have no schedule with this id; list shows yours." });
  return schedule;
}

/** Who may do less must not say what runs as a key that may do more. */
function requireSameKey({ createdBy }: Schedule, keyId: string): void {
  if (createdBy === keyId) return;
  throw new Fault("auth.forbidden", {
    detail:
      "It runs as the API key by whose call it was made, and this call has another; make one of your own.",
  });
}
