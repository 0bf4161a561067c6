import { cpus } from "node:os";

/** Starts a clock; asked, it answers the share of all this machine's processors that was in use since, 0 to 1. */
export function cpuClock(): () => number {
  const before = read();
  return () => {
    const after = read();
    return 1 - (after.idle - before.idle) / Math.max(1, after.all - before.all);
  };
}

function read(): { idle: number; all: number } {
  const times = cpus().map((cpu) => cpu.times);
  const idle = times.reduce((sum, time) => sum + time.idle, 0);
  const all = times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle);
  return { idle, all };
}
