import { z } from "zod";

const ANSWER_MS_MAX = 10_000;
const Answer = z.object({ data: z.object({ code: z.string() }) });

/** A code of the running API that logs a browser in with this key. Rejects where the API makes none. */
export async function createLoginCode(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/session/codes`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ key }),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  const body: unknown = await response.json();
  if (!response.ok) throw new Error(`the API made no login code: ${JSON.stringify(body)}`);
  return Answer.parse(body).data.code;
}
