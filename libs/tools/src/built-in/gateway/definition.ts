import type { GatewayToolName, ProvidedTool } from "@bulkhead/core";
import { GATEWAY_OPERATION_NAMES, GATEWAY_OPERATIONS, GATEWAY_ROLES } from "./operations.ts";
import { GATEWAY_PARAMETERS } from "./schema.ts";

const listed = GATEWAY_OPERATION_NAMES.map((name) => `${name}: ${GATEWAY_OPERATIONS[name].says}`).join("; ");

/** As models are told of it: what they may look at and switch, and that answering calls is not among it. */
export const GATEWAY_TOOLS: Readonly<Record<GatewayToolName, ProvidedTool>> = {
  gateway: {
    name: "gateway",
    title: "Administration of the tenant",
    description:
      "Looks at the tenant and switches its parts, as far as the API key of the call may: one operation a call, with its arguments. " +
      `Answers what the REST API answers; of a list with nextCursor the next page is had by cursor. Operations: ${listed}.`,
    group: "automation",
    parameters: GATEWAY_PARAMETERS,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    needs: null,
    letBy: "name",
    onlyForKeys: GATEWAY_ROLES,
    capability: "gateway",
  },
};
