/** All that this process is answered by HTTP from here on, event streams included. */
export interface Recording {
  /** Resolves when every answer that has begun is read. */
  text(): Promise<string>;
  stop(): void;
}

export function recordAnswers(): Recording {
  const real = globalThis.fetch;
  const pending: Promise<string>[] = [];
  globalThis.fetch = async (...request) => {
    const response = await real(...request);
    const { status, headers } = response;
    pending.push(readAll(response.clone(), `${status} ${[...headers].join("\n")}\n`));
    return response;
  };
  return {
    text: async () => (await Promise.all(pending)).join("\n"),
    stop: () => void (globalThis.fetch = real),
  };
}

/** What came of it, also where its reader went away. */
async function readAll(response: Response, head: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = head;
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
  return text;
}
