import { expect, test } from "vitest";
import { grownWords } from "./grown-words.ts";

test.each([
  [{ kind: "permission", target: "email" }, "Has the permission email. Sends e-mail by utils.email."],
  [{ kind: "permission", target: "constructor" }, "Has the permission constructor."],
  [{ kind: "host", target: "*" }, "Reaches any public host."],
  [{ kind: "host", target: "api.example.com" }, "Reaches api.example.com."],
  [{ kind: "service", target: "github" }, "Uses the keys of the service github."],
  [{ kind: "tool", target: "*" }, "May call any other tool."],
  [
    { kind: "limit", target: "cpuMs", before: 5_000, after: 10_000 },
    "A higher limit: Processor time 10 s, from Processor time 5 s.",
  ],
] as const)("%j is told as %s", (grown, words) => expect(grownWords(grown)).toBe(words));
