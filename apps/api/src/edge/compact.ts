export { compact } from "@bulkhead/core";
