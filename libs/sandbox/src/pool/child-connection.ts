import type { ChildProcess } from "node:child_process";
import { PassThrough, type Duplex } from "node:stream";

/** The descriptor of a child on which its parent speaks with it. */
const CONNECTION_FD = 3;

/**
 * The connection to a child that was just started. Where this process has no descriptor left, node gives a child without any,
 * and its "error" a moment later: then one that is broken already.
 */
export function connectionTo(child: { stdio?: ChildProcess["stdio"] }): Duplex {
  return (child.stdio?.[CONNECTION_FD] as Duplex | undefined) ?? new PassThrough().destroy();
}
