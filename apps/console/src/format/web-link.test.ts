import { expect, test } from "vitest";
import { webLink } from "./web-link.ts";

test.each([
  ["https://example.com/a?b=1", "https://example.com/a?b=1"],
  ["HTTP://EXAMPLE.com", "http://example.com/"],
])("%s is a link", (text, href) => expect(webLink(text)).toBe(href));

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,<script>",
  "/console/tools",
  "//evil.example",
  "https://bank.example@evil.example/",
  "https://bank.example:443@evil.example/",
  "file:///etc/passwd",
  "",
])("%j is none", (text) => expect(webLink(text)).toBeNull());
