import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { Prisma } from "./generated/client.ts";
import { batchFailureOf, toFault } from "./sql-trouble.ts";

const refusedTo = (address: string): Error =>
  Object.assign(new Error(`connect ECONNREFUSED ${address}`), { syscall: "connect", code: "ECONNREFUSED" });
const ofPrisma = (code: string): Error =>
  new Prisma.PrismaClientKnownRequestError("said so", { code, clientVersion: "0" });
const ofDatabase = (code: string): DatabaseError =>
  Object.assign(new DatabaseError("said so", 0, "error"), { code });

test.each<[string, unknown]>([
  ["a refused connection", refusedTo("127.0.0.1:5432")],
  [
    "one that was refused by each address of a name",
    new AggregateError([refusedTo("::1"), refusedTo("127.0.0.1")]),
  ],
  ["a connection that was not there in time", new Error("timeout expired")],
  ["a pool without a free connection", new Error("timeout exceeded when trying to connect")],
  ["a connection that broke", new Error("Connection terminated unexpectedly")],
  ["an answer that did not come", new Error("Query read timeout")],
  ["a server that is told to end", ofDatabase("57P01")],
  ["a socket that is not there", ofPrisma("ENOENT")],
  ["a name that can't be looked up now", ofPrisma("EAI_AGAIN")],
])("%s is the database that is away: try again", (_, error) => {
  expect(toFault(error)).toMatchObject({ code: "service.unavailable", retryable: true });
  expect(batchFailureOf(error)).toBe("all");
});

test.each<[string, unknown, string, string]>([
  ["a collision", ofDatabase("40P01"), "service.unavailable", "contention"],
  ["U+0000 in a text", ofDatabase("22021"), "request.invalid", "item"],
  ["a row that is there", ofDatabase("23505"), "service.internal", "item"],
  ["what is longer than a text may be", new RangeError("Invalid string length"), "service.internal", "item"],
  ["a mistake of ours", ofDatabase("42601"), "service.internal", "all"],
  ["one that Node's own JavaScript found", ofPrisma("ERR_OUT_OF_RANGE"), "service.internal", "all"],
  [
    "several of them that are no connection's",
    new AggregateError([new Error("no")]),
    "service.internal",
    "all",
  ],
])("%s is told as what it is", (_, error, code, failure) => {
  expect(toFault(error)).toMatchObject({ code });
  expect(batchFailureOf(error)).toBe(failure);
});
