export type { GroupCommitBounds } from "./group-commit.ts";
export { migrate, type MigrateOptions } from "./migrate.ts";
export { GROUP_COMMIT_BOUNDS, openDatabase, type Database, type DatabaseOptions } from "./open-database.ts";
