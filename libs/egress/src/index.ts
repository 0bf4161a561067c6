export { parseEgressAllow } from "./egress-allow.ts";
export { openEgressBroker } from "./egress-broker.ts";
export { openEgressPolicy } from "./egress-policy.ts";
