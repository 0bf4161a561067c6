import { Agent, request, type IncomingMessage } from "node:http";

/** What one load measured. */
export interface Load {
  /** Milliseconds. */
  p50: number;
  p95: number;
  p99: number;
  perSecond: number;
  /** Answers that came. */
  answers: number;
  /** Answers that were not what was asked for; a load with any is no measurement. */
  wrong: number;
  /** Of those, the ones with another status than 200. */
  refused: number;
  /** The first of the wrong ones, cut off; empty where there is none. */
  firstWrong: string;
}

export interface LoadOptions {
  url: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  durationMs: number;
  /** Whether an answer is the right one. */
  isRight: (status: number, body: string) => boolean;
}

const SHOWN_CHARS_MAX = 300;

/** Posts the same body again and again over `connections` kept-alive connections, each waiting for its answer. */
export async function load(options: LoadOptions): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  const latencies: number[] = [];
  let wrong = 0;
  let refused = 0;
  let firstWrong = "";
  const start = performance.now();
  const end = start + options.durationMs;
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const sent = performance.now();
      const { status, body } = await post(agent, options);
      latencies.push(performance.now() - sent);
      if (!options.isRight(status, body)) {
        wrong += 1;
        firstWrong ||= `${status} ${body.slice(0, SHOWN_CHARS_MAX)}`;
      }
      if (status !== 200) refused += 1;
    }
  };
  await Promise.all(Array.from({ length: options.connections }, one));
  const seconds = (performance.now() - start) / 1_000;
  agent.destroy();
  latencies.sort((a, b) => a - b);
  return {
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    perSecond: latencies.length / seconds,
    answers: latencies.length,
    wrong,
    refused,
    firstWrong,
  };
}

/** Of numbers in rising order; NaN of none. */
export const percentile = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** The value in the middle; of an even number, the upper one. */
export const median = (values: number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

type Post = Pick<LoadOptions, "url" | "headers" | "body">;
type Sent = Omit<Post, "body"> & Partial<Post>;

export function post(agent: Agent, options: Post): Promise<{ status: number; body: string }> {
  return send(agent, options, (response, resolve) => {
    let text = "";
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => (text += chunk));
    response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text }));
  });
}

/** Posts the body, or gets without one, reads the answer to its end and forgets it. */
export function sendUnread(agent: Agent, options: Sent): Promise<void> {
  return send(agent, options, (response, resolve) => response.on("end", resolve).resume());
}

function send<Answer>(
  agent: Agent,
  { url, headers, body }: Sent,
  read: (response: IncomingMessage, resolve: (answer: Answer) => void) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: body === undefined ? "GET" : "POST",
        agent,
        headers: { "content-type": "application/json", ...headers },
      },
      (response) => {
        response.on("error", reject);
        read(response, resolve);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
