import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { askChoice, askText, confirmOrFail } from "./ask.ts";
import { Terminal } from "./terminal.ts";

/** A person who reads stderr, and types once they have read the question. */
function person(typed: string) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  let read = "";
  stderr.setEncoding("utf8").on("data", (text: string) => {
    const asks = text.includes("?\n") && !read.includes("?\n");
    read += text;
    if (asks) setImmediate(() => stdin.write(typed));
  });
  const stdout = { isTTY: true, write: (text: string) => void (read += `on stdout: ${text}`) };
  const streams = { stdin, stderr, stdout } as unknown as ConstructorParameters<typeof Terminal>[0];
  const terminal = new Terminal({ ...streams, env: {}, json: false, quiet: false });
  return { terminal, read: () => read };
}

test("questions are asked on the terminal's own stderr", async () => {
  const { terminal, read } = person("Zürich\r");
  expect(await askText(terminal, "Where?")).toBe("Zürich");
  expect(read()).toContain("Where?");
  expect(read()).not.toContain("on stdout");
});

test("a choice is made by arrows", async () => {
  const { terminal } = person("\u001b[B\r");
  const choices = ["one", "two"].map((value) => ({ value, label: value, hint: "" }));
  expect(await askChoice(terminal, "Which?", choices)).toBe("two");
});

test("no is an answer, and ends the command", async () => {
  await expect(confirmOrFail(person("n").terminal, "Delete all?", false)).rejects.toMatchObject({
    parts: { exit: 130 },
  });
  await confirmOrFail(person("y").terminal, "Delete all?", false);
});
