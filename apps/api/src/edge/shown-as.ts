export { shownAs } from "@bulkhead/contracts";
