import {
  Fault,
  newGoalId,
  type DataDecision,
  type DataDocument,
  type Json,
  type JsonObject,
} from "@bulkhead/core";
import { goalsOf, termsOf, type DataAsker, type DataDeps } from "./data-access.ts";
import { changeIn, checked, written } from "./documents.ts";
import { queryPlace } from "./query.ts";

export const GOAL_STEPS_MAX = 50;

interface GoalStep {
  id: number;
  text: string;
  done: boolean;
}

/** As it is kept, and told to models. */
export interface Goal {
  id: string;
  title: string;
  description: string | null;
  status: "open" | "completed";
  steps: GoalStep[];
  /** From 0 to 100: of its steps those that are done, or as it was said where it has none. */
  progress: number;
  /** The latest word on how it stands. */
  note: string | null;
  dueAt: string | null;
  completedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

type Kept = Omit<Goal, "id" | "createdAt" | "updatedAt">;

interface NewGoal {
  title: string;
  description?: string | undefined;
  steps?: readonly string[] | undefined;
  dueAt?: string | undefined;
}

export interface GoalChange {
  id: string;
  title?: string | undefined;
  /** Null takes it away, as with the others. */
  description?: string | null | undefined;
  dueAt?: string | null | undefined;
  note?: string | null | undefined;
  addSteps?: readonly string[] | undefined;
  /** By their ids. */
  doneSteps?: readonly number[] | undefined;
  openSteps?: readonly number[] | undefined;
  removeSteps?: readonly number[] | undefined;
  progress?: number | undefined;
  /** Opens one that was completed. */
  reopen?: boolean | undefined;
}

/** Goals of an agent and a user, on the store of custom data, in a collection that nothing else can write. */
export async function createGoal(deps: DataDeps, asker: DataAsker, goal: NewGoal): Promise<Goal> {
  const steps = withSteps([], goal.steps ?? []);
  const kept: Kept = {
    title: goal.title,
    description: goal.description ?? null,
    status: "open",
    steps,
    progress: 0,
    note: null,
    dueAt: goal.dueAt ?? null,
    completedAt: null,
  };
  const id = newGoalId();
  const terms = await termsOf(deps, asker);
  const made = await changeIn(deps, asker, terms, goalsOf(asker), id, () => keep(kept, terms));
  return toGoal(written(made).document);
}

export async function listGoals(
  deps: DataDeps,
  asker: DataAsker,
  { status, limit, cursor }: { status: Goal["status"] | "all"; limit: number; cursor?: string | undefined },
): Promise<{ goals: Goal[]; nextCursor: string | null }> {
  const { documents, nextCursor } = await queryPlace(deps, goalsOf(asker), {
    where: status === "all" ? {} : { status },
    orderBy: "$createdAt",
    limit,
    ...(cursor !== undefined && { cursor }),
  });
  return { goals: documents.map(toGoal), nextCursor };
}

export function updateGoal(deps: DataDeps, asker: DataAsker, change: GoalChange): Promise<Goal> {
  return changeGoal(deps, asker, change.id, (goal) => changed(goal, change));
}

/** All its steps are done then. */
export function completeGoal(
  deps: DataDeps,
  asker: DataAsker,
  { id, note }: Pick<GoalChange, "id" | "note">,
): Promise<Goal> {
  return changeGoal(deps, asker, id, (goal, now) => ({
    ...goal,
    status: "completed",
    steps: goal.steps.map((step) => ({ ...step, done: true })),
    progress: 100,
    note: note === undefined ? goal.note : note,
    completedAt: goal.completedAt ?? now.toISOString(),
  }));
}

/** Whether there was one. */
export async function removeGoal(deps: DataDeps, asker: DataAsker, id: string): Promise<boolean> {
  const terms = await termsOf(deps, asker);
  const { removed } = await changeIn(deps, asker, terms, goalsOf(asker), id, () => ({ kind: "remove" }));
  return removed;
}

async function changeGoal(
  deps: DataDeps,
  asker: DataAsker,
  id: string,
  change: (goal: Kept, now: Date) => Kept,
): Promise<Goal> {
  const terms = await termsOf(deps, asker);
  const done = await changeIn(deps, asker, terms, goalsOf(asker), id, (former, now) => {
    if (!former) throw new Fault("data.not_found", { detail: `There is no goal ${JSON.stringify(id)}.` });
    return keep(change(keptOf(former), now), terms);
  });
  return toGoal(written(done).document);
}

function changed(goal: Kept, change: GoalChange): Kept {
  const { addSteps = [], doneSteps = [], openSteps = [], removeSteps = [] } = change;
  for (const id of [...doneSteps, ...openSteps, ...removeSteps])
    if (!goal.steps.some((step) => step.id === id)) throw invalid("steps", `has no step ${id}`);
  const left = goal.steps
    .filter(({ id }) => !removeSteps.includes(id))
    .map((step) => ({
      ...step,
      done: (step.done || doneSteps.includes(step.id)) && !openSteps.includes(step.id),
    }));
  const steps = withSteps(left, addSteps);
  if (change.progress !== undefined && steps.length > 0)
    throw invalid("progress", "is that of its steps, which can be said to be done");
  const isOpen = change.reopen === true || goal.status === "open";
  return {
    title: change.title ?? goal.title,
    description: change.description === undefined ? goal.description : change.description,
    status: isOpen ? "open" : "completed",
    steps,
    progress: steps.length > 0 ? progressOf(steps) : (change.progress ?? goal.progress),
    note: change.note === undefined ? goal.note : change.note,
    dueAt: change.dueAt === undefined ? goal.dueAt : change.dueAt,
    completedAt: isOpen ? null : goal.completedAt,
  };
}

const progressOf = (steps: readonly GoalStep[]): number =>
  Math.floor((100 * steps.filter(({ done }) => done).length) / steps.length);

function withSteps(steps: readonly GoalStep[], added: readonly string[]): GoalStep[] {
  if (steps.length + added.length > GOAL_STEPS_MAX)
    throw invalid("steps", `must be ${GOAL_STEPS_MAX} at most`);
  const last = Math.max(0, ...steps.map(({ id }) => id));
  return [...steps, ...added.map((text, n) => ({ id: last + n + 1, text, done: false }))];
}

const keep = (goal: Kept, terms: Parameters<typeof checked>[1]): DataDecision => ({
  ...checked({ ...goal, steps: goal.steps.map((step): JsonObject => ({ ...step })) }, terms),
  expiresAt: null,
});

const invalid = (path: string, message: string): Fault =>
  new Fault("request.invalid", { detail: `The goal's ${path} ${message}.`, errors: [{ path, message }] });

/** Written by nobody but this file. */
const keptOf = ({ value }: DataDocument): Kept => value as Json & Kept;

const toGoal = (document: DataDocument): Goal => ({
  id: document.id,
  ...keptOf(document),
  createdAt: document.createdAt.toISOString(),
  updatedAt: document.updatedAt.toISOString(),
});
