#!/usr/bin/env node
import { EXIT } from "./faults/cli-fault.ts";
import { runCli } from "./run-cli.ts";
import { harmless } from "@bulkhead/core/harmless";
import { calledAs } from "./terminal/called-as.ts";

const { argv, env, stdin, stdout, stderr } = process;

// A reader that has enough, such as head, closes the pipe: that is no fault of anybody's.
for (const stream of [stdout, stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(EXIT.fine);
    throw error;
  });

// What nobody has caught is our mistake, and not the tool's failure, which Node's own exit code would say.
process.on("uncaughtException", (error: unknown) => {
  const said = error instanceof Error ? error.stack : undefined;
  stderr.write(`✗ This is a fault of bulkhead's own. ${harmless(said ?? String(error))}\n`);
  process.exit(EXIT.unreachable);
});

const program = calledAs({ script: argv[1], folder: process.cwd(), env });
process.exitCode = await runCli(argv.slice(2), { env, stdin, stdout, stderr, program });
