import type { WrittenDefinitions } from "@bulkhead/agents";
import type { FastifyReply, FastifyRequest } from "fastify";
import { metaOf } from "../../edge/envelope.ts";

/** The usual envelope around JSON that is written already: thousands of definitions are not parsed to be sent. */
export function sendDefinitions(
  request: FastifyRequest,
  reply: FastifyReply,
  { json, count, omitted }: WrittenDefinitions,
): FastifyReply {
  const left = omitted > 0 ? `,"omitted":${omitted}` : "";
  const meta = JSON.stringify(metaOf(request));
  const head = Buffer.from('{"success":true,"data":{"tools":');
  const tail = Buffer.from(`,"count":${count}${left}},"meta":${meta}}`);
  return reply.type("application/json; charset=utf-8").send(Buffer.concat([head, json, tail]));
}
