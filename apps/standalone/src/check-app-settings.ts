import { execFile, type ExecFileException } from "node:child_process";
import { join } from "node:path";
import { childEnv } from "./supervise/child-env.ts";
import { StartRefusal } from "./start-refusal.ts";

const APPS_FOLDER = join(import.meta.dirname, "../..");
/** It takes half a second; a machine that does much else at a time gets the rest. */
const CHECK_MS_MAX = 60_000;

/** Stand-ins for settings that this program sets itself, so that only the user's are judged. */
const OURS = {
  DATABASE_URL: "postgres://checked.invalid/db",
  REDIS_URL: "redis://checked.invalid",
  BULKHEAD_MASTER_KEY: Buffer.alloc(32).toString("base64"),
};

/** Has the API and the worker look at their settings before anything starts. Throws a StartRefusal that names every bad one. */
export async function checkAppSettings(env: NodeJS.ProcessEnv): Promise<void> {
  const said = await Promise.all(["api", "worker"].map((app) => check(app, childEnv(env, OURS))));
  const lines = new Set(said.flatMap((text) => text.split("\n")).filter((line) => line.trim() !== ""));
  if (lines.size > 0) throw new StartRefusal([...lines].join("\n"));
}

/** The app's objections to its settings; empty if it has none. */
function check(app: string, env: Record<string, string>): Promise<string> {
  const main = join(APPS_FOLDER, app, "src/settings-main.ts");
  return new Promise((resolve) => {
    execFile(process.execPath, [main], { env, timeout: CHECK_MS_MAX }, (error, _out, stderr) =>
      resolve(error ? stderr || because(app, error) : ""),
    );
  });
}

const because = (app: string, error: ExecFileException): string =>
  error.killed
    ? `The ${app} could not look at its settings within ${CHECK_MS_MAX / 1_000} s; start again when the machine does less.`
    : error.message;
