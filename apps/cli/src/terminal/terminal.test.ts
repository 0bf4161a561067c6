import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { Terminal, type TerminalParts } from "./terminal.ts";

function open(
  parts: Partial<Omit<TerminalParts, "stdout" | "stderr">> & { isTTY?: boolean; columns?: number } = {},
) {
  const said = { stdout: "", stderr: "" };
  const { isTTY = false, columns } = parts;
  const stdin = Object.assign(new PassThrough(), { isTTY }) as unknown as NodeJS.ReadStream;
  const output = (name: keyof typeof said) => ({
    isTTY,
    columns,
    write: (text: string) => void (said[name] += text),
  });
  const terminal = new Terminal({
    stdin,
    env: {},
    json: false,
    quiet: false,
    ...parts,
    stdout: output("stdout"),
    stderr: output("stderr") as unknown as NodeJS.WriteStream,
  });
  return { terminal, said };
}

test("colours are for terminals alone", () => {
  const seen = (parts: Parameters<typeof open>[0]) => {
    const { terminal, said } = open(parts);
    terminal.line("red", "red");
    return said.stdout;
  };
  const red = "\u001b[31mred\u001b[39m\n";
  expect(seen({ isTTY: true })).toBe(red);
  expect(seen({ isTTY: false })).toBe("red\n");
  expect(seen({ isTTY: true, env: { NO_COLOR: "1" } })).toBe("red\n");
  expect(seen({ isTTY: true, env: { TERM: "dumb" } })).toBe("red\n");
  expect(seen({ isTTY: false, env: { FORCE_COLOR: "1" } })).toBe(red);
});

test("a tool's text reaches a pipe as it is, and a terminal without its controls", () => {
  const text = "a\u001b[2Jb";
  const [pipe, screen] = [open(), open({ isTTY: true })];
  for (const { terminal } of [pipe, screen]) terminal.text(text);
  expect(pipe.said.stdout).toBe(`${text}\n`);
  expect(screen.said.stdout).toBe("a\\x1b[2Jb\n");
});

test("what takes long is told in one line that gives way to what is said meanwhile", async () => {
  const { terminal, said } = open({ isTTY: true, env: { NO_COLOR: "1" }, columns: 10 });
  await terminal.during("running for long", async () => terminal.note("line"));
  expect(said.stderr).toBe("running …\r\u001b[2Kline\nrunning …\r\u001b[2K");
});

test("nothing of it is told where no terminal reads, or with --quiet", async () => {
  for (const parts of [{ isTTY: false }, { isTTY: true, quiet: true }]) {
    const { terminal, said } = open(parts);
    await terminal.during("running", async () => terminal.status("more"));
    expect(said.stderr).toBe("");
  }
});

test("--quiet keeps notes back, and faults not", () => {
  const { terminal, said } = open({ quiet: true });
  terminal.note("a note");
  terminal.warn("a fault");
  expect(said.stderr).toBe("a fault\n");
});

test("nobody is asked where a script reads", () => {
  expect(open({ isTTY: true }).terminal.interactive).toBe(true);
  expect(open({ isTTY: true, json: true }).terminal.interactive).toBe(false);
  expect(open().terminal.interactive).toBe(false);
});

test("a table is cut to the terminal, and to nothing in a pipe", () => {
  const columns = [{ title: "text", flexible: true }] as const;
  const [screen, pipe] = [open({ isTTY: true, columns: 20, env: { NO_COLOR: "1" } }), open()];
  for (const { terminal } of [screen, pipe]) terminal.table(columns, [["x".repeat(30)]]);
  expect(screen.said.stdout).toBe(`text\n${"x".repeat(19)}…\n`);
  expect(pipe.said.stdout).toBe(`text\n${"x".repeat(30)}\n`);
});

test("fields without a value are left out, and further lines stand below the first", () => {
  const { terminal, said } = open();
  terminal.fields({ name: "a", agent: undefined, parameters: "{\n}" });
  expect(said.stdout).toBe("name        a\nparameters  {\n            }\n");
});
