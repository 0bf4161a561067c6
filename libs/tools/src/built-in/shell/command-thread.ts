import { Fault } from "@bulkhead/core";
import { serveJobs } from "@bulkhead/process";
import type { CommandAnswer, CommandJob } from "./command-threads.ts";
import { judgeCommand } from "./judge/judge-command.ts";
import { checkTemplate } from "./template/check-template.ts";

/** Judges a line, or says what is wrong with a template; null: nothing. */
function work(job: CommandJob): CommandAnswer {
  if ("command" in job) return { judged: judgeCommand(job.command, job.rules, job.cwd) };
  try {
    checkTemplate(job.template, job.parameters);
    return { wrong: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { wrong: error.errors[0]?.message ?? error.detail };
  }
}

serveJobs(work);
