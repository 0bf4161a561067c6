import { serveJobs } from "@bulkhead/process";
import { indexContent } from "./index-content.ts";

serveJobs(indexContent);
