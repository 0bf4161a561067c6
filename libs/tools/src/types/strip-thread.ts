import { serveJobs } from "@bulkhead/process";
import { stripBody } from "./strip-body.ts";

// Node calls its own stripper experimental each time a thread first uses it; the version is pinned and tests hold it to this.
process.removeAllListeners("warning");
serveJobs(stripBody);
