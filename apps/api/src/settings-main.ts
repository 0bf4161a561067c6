import { runMain } from "@bulkhead/process";
import { readConfig } from "./config.ts";

// Standalone has all settings looked at before it starts anything. This loads a tenth of what the app itself does.
await runMain("api", readConfig, async () => undefined);
