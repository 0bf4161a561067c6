import type { JsonObject } from "@bulkhead/core";
import { z } from "zod";
import {
  completeGoal,
  createGoal,
  DATA_CURSOR_CHARS_MAX,
  GOAL_STEPS_MAX,
  listGoals,
  removeGoal,
  updateGoal,
  type Goal,
} from "../../data.ts";
import {
  DOCUMENTS_DEFAULT,
  DOCUMENTS_MAX,
  GOAL_ID_CHARS_MAX,
  GOAL_TEXT_CHARS_MAX,
  GOAL_TITLE_CHARS_MAX,
  STEP_CHARS_MAX,
} from "./bounds.ts";
import { operation, type Operate } from "./operations.ts";

const id = z.string().min(1).max(GOAL_ID_CHARS_MAX);
const title = z.string().min(1).max(GOAL_TITLE_CHARS_MAX);
const words = z.string().max(GOAL_TEXT_CHARS_MAX);
const moment = z.iso.datetime({ offset: true });
const texts = z.array(z.string().min(1).max(STEP_CHARS_MAX)).max(GOAL_STEPS_MAX).optional();
const steps = z.array(z.int().min(1)).max(GOAL_STEPS_MAX).optional();

const CREATE = z.strictObject({
  title,
  description: words.optional(),
  dueAt: moment.optional(),
  steps: texts,
});
const LIST = z.strictObject({
  status: z.enum(["open", "completed", "all"]).default("open"),
  limit: z.int().min(1).max(DOCUMENTS_MAX).default(DOCUMENTS_DEFAULT),
  cursor: z.string().max(DATA_CURSOR_CHARS_MAX).optional(),
});
const UPDATE = z.strictObject({
  id,
  title: title.optional(),
  description: words.optional(),
  dueAt: moment.optional(),
  note: words.optional(),
  addSteps: texts,
  doneSteps: steps,
  openSteps: steps,
  removeSteps: steps,
  progress: z.int().min(0).max(100).optional(),
  reopen: z.boolean().optional(),
});
const COMPLETE = z.strictObject({ id, note: words.optional() });
const REMOVE = z.strictObject({ id });

const told = (goal: Goal): JsonObject => ({
  goal: { ...goal, steps: goal.steps.map((step): JsonObject => ({ ...step })) },
});

/** Each action of the tool `goals`, by the name of its operation. */
export const GOAL_READING: Readonly<Record<string, Operate>> = {
  list_goals: operation(LIST, async (deps, asker, asked) => {
    const { goals, nextCursor } = await listGoals(deps, asker, asked);
    return { goals: goals.map((goal) => told(goal)["goal"] as JsonObject), nextCursor };
  }),
};
export const GOAL_WRITING: Readonly<Record<string, Operate>> = {
  create_goal: operation(CREATE, async (deps, asker, asked) => told(await createGoal(deps, asker, asked))),
  update_goal: operation(UPDATE, async (deps, asker, asked) => told(await updateGoal(deps, asker, asked))),
  complete_goal: operation(COMPLETE, async (deps, asker, asked) =>
    told(await completeGoal(deps, asker, asked)),
  ),
  remove_goal: operation(REMOVE, async (deps, asker, asked) => ({
    removed: await removeGoal(deps, asker, asked.id),
  })),
};
