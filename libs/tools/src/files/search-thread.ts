import { serveJobs } from "@bulkhead/process";
import { searchLines } from "./search-lines.ts";

serveJobs(searchLines);
