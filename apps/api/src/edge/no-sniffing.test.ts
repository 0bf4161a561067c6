import { NO_METER } from "@bulkhead/process/telemetry";
import fastify from "fastify";
import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { answerBrokenRequest } from "./broken-request.ts";
import { useMetrics } from "./http-metrics.ts";
import { forbidSniffing } from "./no-sniffing.ts";
import { frameworkErrors, useProblems } from "./problems.ts";

/** What comes back to these bytes, up to the end of the connection. */
async function answerTo(request: string): Promise<string> {
  const app = fastify({
    frameworkErrors,
    clientErrorHandler: (error, socket) =>
      answerBrokenRequest({ metrics: app.metrics, isAnswering: () => false }, error, socket),
  });
  forbidSniffing(app.server);
  useMetrics(app, NO_METER);
  useProblems(app);
  app.get("/good", () => ({}));
  app.get("/raw", (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { "content-type": "text/event-stream" }).end();
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(request);
  const answer = await text(socket);
  await app.close();
  return answer;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;

test.each([
  ["a good answer", get("/good"), 200],
  ["a stream", get("/raw"), 200],
  ["a problem", get("/nowhere"), 404],
  ["a path that can't be decoded", get("/%zz"), 400],
  ["what is no request", "nonsense\r\n\r\n", 400],
])("%s is what its type says and nothing else", async (_what, request, status) => {
  const answer = await answerTo(request);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer.match(/^x-content-type-options: nosniff\r$/gim)).toHaveLength(1);
});
