export { FAULTS, type FaultCode } from "./catalogue.ts";
export { Fault, type FaultDetail, type FaultOptions } from "./fault.ts";
