import { expect, test } from "vitest";
import { checkBodyCoding } from "./body-coding.ts";

test.each([
  {},
  { "content-encoding": "identity" },
  { "content-type": "application/json" },
  { "content-type": 'application/json; charset="UTF-8"' },
  { "content-type": "application/json; a=b; charset=us-ascii" },
])("a body that is read as it comes is taken: %j", (headers) => {
  expect(() => checkBodyCoding(headers)).not.toThrow();
});

test.each([
  [{ "content-encoding": "gzip" }, "Content-Encoding"],
  [{ "content-encoding": "identity, br" }, "Content-Encoding"],
  [{ "content-type": "application/json; charset=latin1" }, "UTF-8"],
  [{ "content-type": 'application/json;Charset="utf-16"' }, "UTF-8"],
])("one that would be misread is refused, with what to send: %j", (headers, said) => {
  expect(() => checkBodyCoding(headers)).toThrow(
    expect.objectContaining({
      code: "request.unsupported_media_type",
      detail: expect.stringContaining(said),
    }),
  );
});
