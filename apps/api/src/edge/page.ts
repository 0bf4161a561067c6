export { oneMore, pageOf } from "@bulkhead/contracts";
