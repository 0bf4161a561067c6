export { type EgressAllowResult, type EgressAllowRule, parseEgressAllow } from "./egress-allow.ts";
export { type EgressBrokerOptions, openEgressBroker } from "./egress-broker.ts";
export { openEgressPolicy } from "./egress-policy.ts";
export type { Lookup } from "./lookup.ts";
