import { describe, expect, it } from "vitest";
import { camelCase, kebabCase, snakeCase, titleCase } from "./cases.ts";

describe("words in another style", () => {
  it.each([
    ["hello world", "helloWorld", "hello_world"],
    ["helloWorld", "helloWorld", "hello_world"],
    ["HelloWorld", "helloWorld", "hello_world"],
    ["hello_world-again", "helloWorldAgain", "hello_world_again"],
    ["HTTPServer", "httpServer", "http_server"],
    ["parse HTML to JSON", "parseHtmlToJson", "parse_html_to_json"],
    ["userID2 name", "userId2Name", "user_id2_name"],
    ["version 1.2", "version12", "version_1_2"],
    ["don't stop", "dontStop", "dont_stop"],
    ["  --spaced__out--  ", "spacedOut", "spaced_out"],
    ["ÄrgerÜber ñandú", "ärgerÜberÑandú", "ärger_über_ñandú"],
    ["nai\u{308}ve word", "naïveWord", "naïve_word"],
    ["हिन्दी भाषा", "हिन्दीभाषा", "हिन्दी_भाषा"],
    ["𐐀𐐨 𐐨𐐨", "𐐨𐐨𐐀𐐨", "𐐨𐐨_𐐨𐐨"],
    ["!?", "", ""],
    ["", "", ""],
  ])("%j is %j and %j", (text, camel, snake) => {
    expect(camelCase(text)).toBe(camel);
    expect(snakeCase(text)).toBe(snake);
    expect(kebabCase(text)).toBe(snake.replaceAll("_", "-"));
  });

  it("is made in time that grows with the text, not with its square", () => {
    for (const part of ["aB", "A", "a'", "_", "a\u{301}", "1A"]) {
      expect(snakeCase(part.repeat(300_000)).length).toBeGreaterThanOrEqual(0);
    }
  });
});

describe("titleCase", () => {
  it.each([
    ["hello world", "Hello World"],
    ["HELLO wORLD", "Hello World"],
    ["don't  stop\nwell-known o’neil", "Don't  Stop\nWell-Known O’neil"],
    ["élan ßen 3rd", "Élan SSen 3rd"],
    ["", ""],
  ])("of %j is %j", (text, expected) => {
    expect(titleCase(text)).toBe(expected);
  });
});
