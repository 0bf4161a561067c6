import type { GatewayToolName, JsonObject, ProvidedAnswer, ProvidedCall } from "@bulkhead/core";
import { GATEWAY_OPERATION_NAMES } from "./operations.ts";

type Run = (args: JsonObject, call: ProvidedCall) => Promise<ProvidedAnswer>;

/** It asks the capability for the key whose own call this is; the arguments are valid by the schema, those of the operation are read there. */
export const runGatewayTool: Readonly<Record<GatewayToolName, Run>> = {
  async gateway({ operation: named, arguments: asked = {} }, { ask, signal }) {
    const operation = GATEWAY_OPERATION_NAMES.find((known) => known === named);
    if (operation === undefined)
      return { ok: false, code: "invalid_request", message: "gateway has no such operation" };
    const answer = await ask("gateway", operation, asked as JsonObject, null, signal);
    return answer.ok ? { ok: true, value: answer.value } : answer;
  },
};
