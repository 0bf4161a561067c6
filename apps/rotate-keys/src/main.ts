import { openDatabase } from "@bulkhead/postgres";
import { runMain } from "@bulkhead/process";
import { openLocalKeys, rotateKeys } from "@bulkhead/tenants/vault";
import { readConfig, type DatabaseConfig } from "./config.ts";
import { rotateInFolder } from "./rotate-in-folder.ts";
import { verdictOf } from "./verdict.ts";

const POOL_MAX = 2;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function rotateInDatabase(config: DatabaseConfig): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
  const keys = openLocalKeys({
    current: config.BULKHEAD_MASTER_KEY,
    old: config.BULKHEAD_MASTER_KEY_OLD,
  });
  const database = await openDatabase({
    url: config.DATABASE_URL.reveal(),
    poolMax: POOL_MAX,
    applicationName: "bulkhead-rotate-keys",
  });
  try {
    const rotation = await rotateKeys({
      keys,
      dataKeys: database.dataKeys,
      tell: ({ done, total }) => say(`${done} of ${total} data keys are done`),
      stopping: stop.signal,
    });
    say(`${rotation.rewrapped} data keys were wrapped under master key ${keys.currentKeyId}`);
    say(verdictOf(rotation, stop.signal.aborted));
    if (!rotation.complete) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

await runMain("rotate-keys", readConfig, async (config) => {
  if (config.where === "folder") say(await rotateInFolder(config.DATA_DIR));
  else await rotateInDatabase(config);
});
