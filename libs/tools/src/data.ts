export { type DataAsker, type DataDeps } from "./data/data-access.ts";
export {
  ANY_DOCUMENT,
  type DocumentCondition,
  getDocument,
  incrementDocument,
  putDocument,
  removeDocument,
} from "./data/documents.ts";
export {
  completeGoal,
  createGoal,
  type Goal,
  GOAL_STEPS_MAX,
  listGoals,
  removeGoal,
  updateGoal,
} from "./data/goals.ts";
export {
  countDocuments,
  DATA_CURSOR_CHARS_MAX,
  DATA_PAGE_BYTES_MAX,
  listCollections,
  queryDocuments,
} from "./data/query.ts";
