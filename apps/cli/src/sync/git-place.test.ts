import { expect, test } from "vitest";
import { sourceOf } from "./git-place.ts";

test.each([
  ["https://github.com/acme/tools.git", "", "github.com/acme/tools"],
  ["https://x-access-token:ghs_secret@GitHub.com/acme/tools", "payments/", "github.com/acme/tools#payments"],
  ["git@github.com:acme/tools.git", "a/b/", "github.com/acme/tools#a/b"],
  ["ssh://git@git.example.com:2222/acme/tools/", "", "git.example.com:2222/acme/tools"],
  ["/srv/git/tools.git", "", null],
  ["", "", null],
  [`https://github.com/${"a".repeat(300)}`, "", null],
])("the remote %s and the folder %j are kept as %s", (remote, prefix, source) => {
  expect(sourceOf(remote, prefix)).toBe(source);
});
