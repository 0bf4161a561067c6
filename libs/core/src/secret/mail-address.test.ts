import { array, assert, constantFrom, property } from "fast-check";
import { expect, test } from "vitest";
import { kindFaults, readSender } from "./kind-fields.ts";
import { isMailAddress, mayReceive, readRecipients } from "./mail-address.ts";

test.each(["a@b.co", "ann.b+tag@mail.example.com", "o'neil@example.com", "a@localhost"])(
  "%s is an address",
  (text) => {
    expect(isMailAddress(text)).toBe(true);
  },
);

test.each([
  "",
  "a",
  "@b.co",
  "a@",
  "a@@b.co",
  "a b@c.co",
  "a@b .co",
  "a@b.co\r\nBcc: x@y.z",
  "a@b.co,c@d.co",
  "<a@b.co>",
  "Ann <a@b.co>",
  '"a b"@c.co',
  ".a@b.co",
  "a.@b.co",
  "a..b@c.co",
  "a@-b.co",
  "a@b..co",
  "a@[127.0.0.1]",
  "ä@b.co",
  "a@bücher.de",
  `${"a".repeat(65)}@b.co`,
  `a@${"b".repeat(253)}`,
  "a;b@c.co",
  "a@b.co;c@d.co",
  "group:a@b.co;",
])("%j is none", (text) => {
  expect(isMailAddress(text)).toBe(false);
});

test("nothing that is an address could end a header or begin another recipient", () => {
  const piece = constantFrom("a", "@", ".", ",", ";", "<", ">", '"', "\r", "\n", " ", ":", "\u0000", "b.co");
  assert(
    property(array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      return !isMailAddress(text) || /^[^\s,;<>":\0]+$/.test(text);
    }),
  );
});

test("a list of recipients has addresses, whole domains, and everybody", () => {
  const read = readRecipients("Ann@Example.com, @team.example\nbob@x.co");
  expect(read.fault).toBeNull();
  expect(
    ["ann@example.com", "ANN@EXAMPLE.COM", "any@team.example", "bob@x.co"].map((to) => mayReceive(read, to)),
  ).toEqual([true, true, true, true]);
  expect(
    ["bob@example.com", "any@sub.team.example", "any@evilteam.example", "a@team.example.evil"].map((to) =>
      mayReceive(read, to),
    ),
  ).toEqual([false, false, false, false]);
  expect(mayReceive(readRecipients("*"), "anybody@at.all")).toBe(true);
});

test.each(["", " , ", "ann", "@", "@a b", "ann@x.co; bob@x.co", "*@x.co"])("%j is no list", (text) => {
  expect(readRecipients(text).fault).toMatch(/must list/);
});

test.each([
  ["tools@x.co", { name: "", address: "tools@x.co" }],
  ["Our Tools <tools@x.co>", { name: "Our Tools", address: "tools@x.co" }],
  ["@x.co", null],
  ["*", null],
  ["a@x.co, b@x.co", null],
  ["A\r\nB <a@x.co>", null],
  ["Ann", null],
])("the sender %j", (text, sender) => {
  expect(readSender(text)).toEqual(sender);
});

test("an entry of a kind is looked at beyond its types, and no value is told", () => {
  const faultsOf = (...[kind, values]: Parameters<typeof kindFaults>) =>
    kindFaults(kind, values).map(({ field }) => field);
  expect(faultsOf("postgres", { host: "db.example.com", port: 5432, maxRows: 10 })).toEqual([]);
  expect(
    faultsOf("postgres", {
      host: "postgres://x/",
      port: 0,
      statementTimeoutMs: 60_001,
      maxRows: 1.5,
      maxBytes: 1,
    }),
  ).toEqual(["host", "port", "statementTimeoutMs", "maxRows", "maxBytes"]);
  expect(faultsOf("smtp", { host: "::1", from: "nobody", recipients: "all" })).toEqual([
    "from",
    "recipients",
  ]);
  expect(faultsOf("api", { host: "a b", port: 0 })).toEqual([]);
});
