import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startBulkhead } from "../systems.ts";
import { START_SECONDS, warmUpSeconds, type Figure, type Part } from "./part.ts";
import { callRightly, inTurns, ratio, using, warmUp } from "./rounds.ts";

const CONNECTIONS = 64;

/** What it costs to be watched. */
export const telemetry: Part = {
  name: "telemetry",
  title: "Telemetry on and off",
  how:
    `Calls per second over ${CONNECTIONS} connections with the standard OTEL_* variables pointing at a collector on this machine that ` +
    "accepts everything and keeps nothing, in turns with the same product without them.",
  expectSeconds: (settings) =>
    2 * (START_SECONDS + warmUpSeconds(settings) + settings.rounds * settings.seconds),
  measure: (settings) =>
    using(openSink(), (sink) =>
      using(startBulkhead(), (off) =>
        using(startBulkhead(exportingTo(sink.url)), async (on) => {
          const named = { ...on, name: "Bulkhead with telemetry" };
          await warmUp([off, named], settings);
          const [without = [], watched = []] = await inTurns(
            settings,
            [off, named].map((system) => ({
              name: system.name,
              run: async () => {
                const before = sink.exports();
                const { perSecond } = await callRightly(system, CONNECTIONS, settings.seconds);
                return { perSecond, exports: (sink.exports() - before) / settings.seconds };
              },
            })),
          );
          const rates = (rounds: typeof without): number[] => rounds.map(({ perSecond }) => perSecond);
          const figure = (what: string, rounds: number[]): Figure => ({ what, unit: "/s", rounds });
          return [
            figure("without", rates(without)),
            figure("with", rates(watched)),
            ratio("with over without", rates(watched), rates(without)),
            figure(
              "exports that the collector took",
              watched.map((round) => round.exports),
            ),
          ];
        }),
      ),
    ),
};

/** As one would set them; the protocol needs no compiled schema. */
const exportingTo = (url: string): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
});

interface Sink {
  url: string;
  /** Requests so far. */
  exports(): number;
  close(): Promise<void>;
}

async function openSink(): Promise<Sink> {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    request.resume().once("end", () => response.setHeader("content-type", "application/json").end("{}"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exports: () => count,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
