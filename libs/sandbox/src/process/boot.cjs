"use strict";
/**
 * Starts a sandbox process: reads its program and the guest from the worker, as two frames on the one pipe there is, loads
 * isolated-vm, gives up reading files, and runs the program. Plain JavaScript, so that nothing has to be stripped
 * or resolved first.
 */
const { openSync, readSync } = require("node:fs");
const vm = require("node:vm");
const isolatedVm = require("isolated-vm");

const WORKER_FD = 3;
const PREFIX_BYTES = 4;

function read(bytes) {
  const buffer = Buffer.allocUnsafe(bytes);
  for (let at = 0; at < bytes;) {
    const count = readSync(WORKER_FD, buffer, at, bytes - at, null);
    // The worker is gone: nobody is left to tell.
    if (count === 0) process.kill(process.pid, "SIGKILL");
    at += count;
  }
  return buffer;
}

const readFrame = () => read(read(PREFIX_BYTES).readUInt32BE(0));
const program = readFrame().toString("utf8");
const guest = readFrame();

/**
 * The system's file about this process's memory, kept open: Landlock's rule for the folder holds as long as the kernel
 * remembers the folder, and a machine that is short of memory forgets it.
 */
const statm = process.platform === "linux" ? openSync("/proc/self/statm", "r") : null;

// Everything is loaded: from here on no file can be read, where Node's permission model is on.
process.permission?.drop("fs.read");
// Local time, as a tool sees it, must reveal nothing about this machine.
process.env.TZ = "UTC";

const provide = (name) => (name === "isolated-vm" ? isolatedVm : require(name));
vm.runInThisContext(`(function (require, guest, statm, module, exports) {${program}\n})`, {
  filename: "sandbox.js",
})(provide, guest, statm, { exports: {} }, {});
