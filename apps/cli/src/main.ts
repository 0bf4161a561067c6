#!/usr/bin/env node
import { EXIT } from "./faults/cli-fault.ts";
import { runCli } from "./run-cli.ts";

const { env, stdin, stdout, stderr } = process;

// A reader that has enough, such as head, closes the pipe: that is no fault of anybody's.
for (const stream of [stdout, stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(EXIT.fine);
    throw error;
  });

process.exitCode = await runCli(process.argv.slice(2), { env, stdin, stdout, stderr });
