import type { ToolDeps } from "./tool-deps.ts";

type Asked = Pick<ToolDeps, "schemas" | "stripper">;

/**
 * Remembers the two judgements of a definition's content for one request: a repeated try judges only the parts that depend
 * on the tool, and content that another writer put into it meanwhile.
 */
export const askingOnce = ({ schemas, stripper }: Asked): Asked => ({
  schemas: { checkSchema: once((...asked) => schemas.checkSchema(...asked)) },
  stripper: { strip: once((...asked) => stripper.strip(...asked)) },
});

/** The arguments are JSON. A failure is remembered too: no request goes on after it. */
function once<A extends readonly unknown[], T>(ask: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return (...args) => {
    const key = JSON.stringify(args);
    const known = answers.get(key);
    if (known) return known;
    const answer = ask(...args);
    answers.set(key, answer);
    return answer;
  };
}
