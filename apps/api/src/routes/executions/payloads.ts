import { PayloadQuery } from "@bulkhead/contracts";
import { PAYLOAD_PARTS, PAYLOAD_RANGE_BYTES_MAX, type PayloadPart } from "@bulkhead/core";
import { requireTenant } from "@bulkhead/tenants";
import { z } from "zod";
import { headersOf, headersOfAnswer } from "../../edge/answer-headers.ts";
import { answers, ExecutionParams, problemAnswer, type ApiScope } from "../../edge/route-schema.ts";
import type { Calls } from "./wire-executions.ts";

export type PayloadRouteDeps = Pick<Calls, "readPayload">;

const Text = z.any().describe("The JSON text, or the bytes of it that were asked for.");
const bytesAnswer = (description: string) => ({
  description,
  headers: { ...headersOf(["Content-Range"]), ...headersOfAnswer("200", undefined) },
  content: { "application/json": { schema: Text } },
});

/** Large arguments and results, in parts. */
export function payloadRoutes(app: ApiScope, deps: PayloadRouteDeps): void {
  for (const part of PAYLOAD_PARTS) payloadRoute(app, deps, part);
}

function payloadRoute(app: ApiScope, { readPayload }: PayloadRouteDeps, part: PayloadPart): void {
  app.get(
    `/executions/:id/${part}`,
    {
      config: { action: "executions.read", operation: "read", isLarge: true },
      schema: {
        tags: ["executions"],
        summary: `Read the ${part} of an execution, or a range of its bytes`,
        description: `The bytes are those of the JSON text in UTF-8, as it is stored, without an envelope; \`Content-Range\` says which, and of how many. A range may begin or end within a character. ${ERASED[part]}`,
        params: ExecutionParams,
        querystring: PayloadQuery,
        response: {
          ...answers({}),
          200: bytesAnswer("The whole text."),
          206: bytesAnswer("A part of the text."),
          416: problemAnswer(
            "The range begins behind the last byte (`execution.range_beyond`).",
            "Content-Range",
          ),
        },
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "executions.read");
      const key = { tenantId: principal.tenantId, executionId: request.params.id };
      const { from, to } = request.query;
      const range = { from, count: to === undefined ? PAYLOAD_RANGE_BYTES_MAX : to - from + 1 };
      const tellLength = (all: number): void => void reply.header("content-range", `bytes */${all}`);
      const { bytes, total } = await readPayload(principal, key, part, range, tellLength);
      void reply
        .status(bytes.length === total ? 200 : 206)
        .type("application/json")
        .header("content-range", `bytes ${from}-${from + bytes.length - 1}/${total}`);
      return reply.send(Buffer.from(bytes));
    },
  );
}

const ERASED: Record<PayloadPart, string> = {
  arguments: "Erased ones are `{}`.",
  result: "Without a result, before the end, and where it was erased, it is `null`.",
};
