import { expect, it } from "vitest";
import { TextDecoders } from "./text-decoders.ts";

const asked = (id: number, goesOn: boolean, more: object = {}): string =>
  JSON.stringify({ id, encoding: "shift_jis", fatal: false, goesOn, ...more });
const base64 = (...bytes: number[]): string => Buffer.from(bytes).toString("base64");

it("a text goes on where its id does, and another id knows nothing of it", () => {
  const decoders = new TextDecoders();
  expect(decoders.decode(base64(0x82), asked(1, true))).toBe("=");
  expect(decoders.decode(base64(0xa0), asked(2, false))).toBe("=\ufffd");
  expect(decoders.decode(base64(0xa0), asked(1, false))).toBe("=あ");
});

it("after a fault, and after its end, a text begins anew", () => {
  const decoders = new TextDecoders();
  decoders.decode(base64(0x82), asked(1, true, { fatal: true }));
  expect(decoders.decode(base64(0xff), asked(1, true, { fatal: true }))).toBe("null");
  expect(decoders.decode(base64(0x41), asked(1, false, { fatal: true }))).toBe("=A");
});

it("64 wait at most, until one of them ends or the run does", () => {
  const decoders = new TextDecoders();
  for (let id = 1; id <= 64; id++) decoders.decode(base64(0x82), asked(id, true));
  expect(decoders.decode(base64(0x82), asked(65, true))).toBe("full");
  expect(decoders.decode(base64(0x41), asked(65, false))).toBe("=A");
  expect(decoders.decode(base64(0xa0), asked(1, true))).toBe("=あ");
  decoders.clear();
  expect(decoders.decode(base64(0x82), asked(65, true))).toBe("=");
});

it.each(["", "null", '{"id":1,"encoding":"own","fatal":false,"goesOn":false}'])(
  "what is no sound question has no answer: %j",
  (question) => {
    expect(new TextDecoders().decode(base64(0x41), question)).toBe("null");
  },
);
