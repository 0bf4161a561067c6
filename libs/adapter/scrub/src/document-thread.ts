import { serveJobs } from "@bulkhead/threads";
import { coverDocument } from "./cover-document.ts";

serveJobs(coverDocument);
