import { WIRE_VERSION } from "../../wire/bounds.ts";

const HELLO = JSON.stringify({ type: "hello", version: WIRE_VERSION });

/** A program that greets the worker and runs nothing; `first` is done before that. */
export const greetingProgram = (first = ""): string => `${first}
const socket = new (require("node:net").Socket)({ fd: 3, readable: true, writable: true });
const frame = Buffer.from("0000" + ${JSON.stringify(HELLO)});
frame.writeUInt32BE(frame.length - 4);
socket.on("data", () => socket.write(frame));
socket.on("end", () => process.exit(0));`;
