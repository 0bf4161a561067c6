/**
 * The program of the one process that makes the guest's snapshot for all sandbox processes of a worker: they take 1 ms to
 * open it, and 20 ms of processor time each to make one. It runs no tool and ends when the bytes are written.
 */
import { writeSync } from "node:fs";
import { makeGuestSnapshot } from "./guest-snapshot.ts";

/** The worker's bytes that `boot.cjs` passes: here the guest's text. */
declare const guest: Uint8Array;

const WORKER_FD = 3;

const blob = new Uint8Array(makeGuestSnapshot(new TextDecoder().decode(guest)).copy());
for (let at = 0; at < blob.length;) at += writeSync(WORKER_FD, blob, at);
