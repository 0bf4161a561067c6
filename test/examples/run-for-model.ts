import { BulkheadError, type Bulkhead } from "@bulkhead/client";

/** How often a model may call tools before it has to answer. */
export const TURNS_MAX = 10;

/** A call as models make it. */
interface ModelCall {
  /** The model's: the same call is run once. */
  id: string;
  name: string;
  /** As JSON, or read already. */
  args: unknown;
}

/** Runs a call of a model's and gives the text that it reads: the result, or why there is none. Waits for a person if need be. */
export async function runForModel(client: Bulkhead, { id, name, args }: ModelCall) {
  try {
    const read = typeof args === "string" ? JSON.parse(args) : args;
    const result = await client.tools.run(name, read, { idempotencyKey: id, context: { callId: id } });
    return { isError: false, text: typeof result === "string" ? result : JSON.stringify(result ?? null) };
  } catch (error) {
    if (error instanceof SyntaxError)
      return { isError: true, text: `The arguments are no JSON: ${error.message}` };
    // What was refused, or failed, is the model's to mend; an API that is not there is not.
    if (!(error instanceof BulkheadError) || error.status === 0 || error.status >= 500) throw error;
    const places = error.errors.map(({ path, message }) => `\n${path}: ${message}`).join("");
    return { isError: true, text: `${error.code}: ${error.message}${places}` };
  }
}
