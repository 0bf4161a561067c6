import { toolGlobals, type ToolGlobals } from "@bulkhead/contracts/tool-globals";
import { describe, expect, test } from "vitest";
import { AbortController, AbortSignal } from "./abort.ts";
import { buildApi } from "./api.ts";
import { Blob, File } from "./blob.ts";
import { Buffer } from "./buffer.ts";
import { toolConsole } from "./console.ts";
import { crypto } from "./crypto.ts";
import { DOMException } from "./dom-exception.ts";
import { CustomEvent, Event } from "./event.ts";
import { EventTarget } from "./event-target.ts";
import { FormData } from "./form-data.ts";
import { GLOBAL_NAMES, NETWORK_NAMES } from "./global-names.ts";
import { Headers } from "./headers.ts";
import { performance } from "./performance.ts";
import { Request } from "./request.ts";
import { Response } from "./response.ts";
import * as streams from "./streams.ts";
import { TextDecoder, TextEncoder } from "./text-coding.ts";
import { TextDecoderStream, TextEncoderStream } from "./text-streams.ts";
import { URLSearchParams } from "./url-search-params.ts";
import { URL } from "./url.ts";
import { data } from "./utils/data.ts";
import { fs } from "./utils/files.ts";
import { db, email, schedule } from "./utils/outside.ts";
import { utils } from "./utils/utils.ts";

const DECLARED = toolGlobals();

/** The lines between a declaration's first and last one. */
function blockOf(head: string): string {
  const from = DECLARED.search(new RegExp(`^(declare )?${head}(?!\\w)[^\n]*\\{$`, "m"));
  expect([head, from]).not.toEqual([head, -1]);
  return DECLARED.slice(from, DECLARED.indexOf("\n}", from));
}

/** The names of the members that a declaration tells. */
const membersOf = (head: string, isStatic = false): string[] => {
  const members = [...blockOf(head).matchAll(/^ {2}(static )?(?:readonly )?(\w+)\??[(<:]/gm)];
  const names = members
    .filter(([, said]) => (said !== undefined) === isStatic)
    .map(([, , name]) => name ?? "");
  return [...new Set(names)].filter((name) => name !== "constructor").toSorted();
};

/** What every class has, and what the web's have as constants. */
const OF_EVERY_CLASS = /^(?:prototype|name|length)$/;
const UNTOLD = /^(?:constructor|_.*|[A-Z_]+)$/;

/** The names of what an object has of its own. */
const ownOf = (object: object): string[] =>
  Object.getOwnPropertyNames(object)
    .filter((name) => !UNTOLD.test(name) && !(typeof object === "function" && OF_EVERY_CLASS.test(name)))
    .toSorted();

const CLASSES = {
  AbortController,
  AbortSignal,
  Blob,
  Buffer,
  CustomEvent,
  DOMException,
  Event,
  EventTarget,
  FormData,
  Headers,
  TextDecoder,
  TextDecoderStream,
  TextEncoder,
  TextEncoderStream,
  URL,
  URLSearchParams,
  ...streams,
};

test("every global is declared, and no other", () => {
  const declared = [...DECLARED.matchAll(/^declare (?:const|function|class) (\w+)/gm)].map(
    ([, name = ""]) => name,
  );
  // Temporal is declared by the language's own library.
  const names = [...GLOBAL_NAMES, ...NETWORK_NAMES].filter((name) => name !== "Temporal");
  expect([...new Set(declared)].toSorted()).toEqual(names.toSorted());
});

describe("declared as the guest has them are", () => {
  test("the functions of utils, of api and of the console", () => {
    // The compiler sees where a function is gone, or is of another form.
    const declared: Omit<ToolGlobals["utils"], "data" | "db" | "email" | "exec" | "fs" | "schedule"> = utils;
    expect(ownOf(declared)).toEqual(membersOf("interface ToolUtils"));
    expect(ownOf(fs)).toEqual(membersOf("interface ToolFiles"));
    expect(ownOf(data("a"))).toEqual(membersOf("interface ToolData"));
    expect(ownOf(db("shop"))).toEqual(membersOf("interface ToolDatabase"));
    expect(ownOf(email)).toEqual(membersOf("interface ToolEmail"));
    expect(ownOf(schedule)).toEqual(membersOf("interface ToolSchedules"));
    expect(ownOf(buildApi({ rest: null, graphql: null }))).toEqual(membersOf("interface ToolApi"));
    expect(ownOf(toolConsole)).toEqual(membersOf("interface Console"));
    expect(ownOf(crypto)).toEqual(membersOf("interface Crypto"));
    expect(ownOf(crypto.subtle)).toEqual(membersOf("interface SubtleCrypto"));
    expect(ownOf(performance)).toEqual(membersOf("interface Performance"));
  });

  test.each(Object.entries(CLASSES))("the members of %s", (name, Class) => {
    if (typeof Class !== "function" || !/^[A-Z]/.test(name)) return;
    expect(ownOf(Class.prototype as object)).toEqual(membersOf(`class ${name}`));
    expect(ownOf(Class)).toEqual(membersOf(`class ${name}`, true));
  });

  test.each(Object.entries({ Request, Response }))(
    "the members of %s, with those of a body",
    (name, Class) => {
      const members = [...membersOf(`interface ${name} extends Body`), ...membersOf("interface Body")];
      expect(ownOf(Class.prototype)).toEqual(members.toSorted());
      expect([...ownOf(Class), "prototype"].toSorted()).toEqual(membersOf(`const ${name}: `));
    },
  );

  test("the members of File, beside those of Blob", () => {
    expect(ownOf(File.prototype)).toEqual(membersOf("class File"));
  });
});
