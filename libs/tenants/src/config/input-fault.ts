import { Fault, type FaultDetail } from "@bulkhead/core";

/** `request.invalid` with the place of each fault; there is at least one. */
export const invalidInput = (errors: FaultDetail[]): Fault =>
  new Fault("request.invalid", { detail: `${errors[0]?.path} ${errors[0]?.message}.`, errors });
