export { checkPattern } from "./check-pattern.ts";
export { DocumentThreads } from "./document-threads.ts";
export { openScrubbers } from "./open-scrubbers.ts";
