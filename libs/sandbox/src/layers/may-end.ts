/** Whether there is this process, and this one may send it signals. */
export function mayEnd(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
