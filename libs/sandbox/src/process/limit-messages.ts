/** The messages to a tool's authors about the limit that it met, whichever layer noticed. */
export const overMemory = (memoryMib: number): string =>
  `The tool needed more than ${memoryMib} MiB of memory (limits.memoryMib).`;
export const overCpu = (cpuMs: number): string =>
  `The tool used more than ${cpuMs} ms of processor time (limits.cpuMs).`;
export const overWall = (wallMs: number): string => `The tool ran longer than ${wallMs} ms (limits.wallMs).`;
