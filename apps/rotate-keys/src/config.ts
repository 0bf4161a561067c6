import { masterKey, oldMasterKeys, readSettings, url } from "@bulkhead/process/settings";
import { z } from "zod";

const WHICH_DATABASE =
  "must say which database. npm start with one of its own rotates by itself: start it with both keys, or, if it keeps its " +
  "key in the data folder, run this without BULKHEAD_MASTER_KEY and BULKHEAD_MASTER_KEY_OLD";

const Database = z.object({
  DATABASE_URL: z.string(WHICH_DATABASE).pipe(url("postgres:", "postgresql:")),
  /** The new one, as every API and worker has it by now. */
  BULKHEAD_MASTER_KEY: masterKey,
  BULKHEAD_MASTER_KEY_OLD: oldMasterKeys,
});

/** The same default as in the standalone, which owns the folder. */
const Folder = z.object({ DATA_DIR: z.string().default(".data") });

export type DatabaseConfig = Readonly<z.output<typeof Database>>;
export type RotateKeysConfig =
  | ({ where: "database" } & DatabaseConfig)
  /** With none of the other settings, the master key is the one that `npm start` keeps in the folder. */
  | ({ where: "folder" } & Readonly<z.output<typeof Folder>>);

/** Throws a SettingsError that names every bad setting. */
export function readConfig(env: NodeJS.ProcessEnv): RotateKeysConfig {
  const isFolder = Object.keys(Database.shape).every((name) => !env[name]);
  return isFolder
    ? { where: "folder", ...readSettings(Folder, env) }
    : { where: "database", ...readSettings(Database, env) };
}
