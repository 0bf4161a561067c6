import { serveJobs } from "@bulkhead/threads";
import { constants, setPriority } from "node:os";
import { coverDocument } from "./cover-document.ts";

// On Linux a thread has a priority of its own, elsewhere it is the process's: megabytes give way to what else the worker does.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW);
serveJobs(coverDocument);
