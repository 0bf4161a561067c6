/** A sandbox program from another release. */
import { Socket } from "node:net";
import { encodeFrame } from "../../wire/frame.ts";

const socket = new Socket({ fd: 3, readable: true, writable: true });
socket.on("end", () => process.exit(0));
socket.resume();
socket.write(encodeFrame({ type: "hello", version: 999 }, 1_000));
