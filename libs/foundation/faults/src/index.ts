export { FAULTS, type FaultCode } from "./catalogue.ts";
export { Fault, type FaultDetail, type FaultOptions, type Quota } from "./fault.ts";
export { reasonOf } from "./reason-of.ts";
