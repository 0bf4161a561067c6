import { SettingsError } from "@bulkhead/process/settings";
import { checkAppSettings } from "./check-app-settings.ts";
import { readConfig, type StandaloneConfig } from "./config.ts";
import { requireNode, start, steps, stop, type Opened } from "./start.ts";
import { StartRefusal } from "./start-refusal.ts";
import { StoreError } from "./stores/store-error.ts";
import { listenForStop } from "./supervise/stop-request.ts";

/** If this program's own settings are bad, the faults of the API's and the worker's are listed with them. */
async function readAllSettings(env: NodeJS.ProcessEnv): Promise<StandaloneConfig> {
  try {
    return readConfig(env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const others = await checkAppSettings(env).then(
      () => "",
      (refusal: Error) => `\n${refusal.message}`,
    );
    throw new StartRefusal(`${error.message}${others.replace("\nBad settings:", "")}`);
  }
}

async function main(): Promise<void> {
  requireNode(process.version);
  const config = await readAllSettings(process.env);
  const opened: Opened = { lock: null, stores: [], apps: null, tools: null };
  const stopping = new AbortController();
  const request = listenForStop(
    process,
    () => performance.now(),
    () => {
      opened.tools?.current().killNow();
      opened.apps?.api.current().killNow();
      opened.apps?.worker.current().killNow();
      // The stores' guards see our end and stop them.
      process.exit(130);
    },
  );
  let why = "nobody asked for it";
  void request.first.then((signal) => {
    why = signal;
    steps.say(`${signal}: stopping`);
    stopping.abort();
  });
  // Node would end this process at once, and leave the rest to the stores' guards.
  const broken = new Promise<never>((_, reject) => process.once("uncaughtException", reject));
  try {
    await Promise.race([
      broken,
      start(config, process.env, opened, stopping.signal).then(() => request.first),
    ]);
  } catch (cause) {
    // A failure after a request to stop is a consequence of the stop.
    if (stopping.signal.aborted) return;
    why = cause instanceof Error ? cause.message : String(cause);
    stopping.abort();
    throw cause;
  } finally {
    await stop(opened, why);
  }
}

/** An error that a person can act on: its message is enough. A Fault is recognised by its name, across modules. */
const isExpected = (cause: unknown): cause is Error =>
  [StartRefusal, StoreError, SettingsError].some((kind) => cause instanceof kind) ||
  (cause instanceof Error && cause.name === "Fault");

// Output that nobody reads any more (`npm start | head`) must not end the service.
process.stdout.on("error", () => undefined);
try {
  await main();
} catch (cause) {
  const text = isExpected(cause) ? cause.message : cause instanceof Error ? cause.stack : String(cause);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
