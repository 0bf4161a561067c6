import { expect, test } from "vitest";
import { SHOWN_BYTES_MAX } from "./bounds.ts";
import { MediaWorld, PNG } from "./fixtures/media-world.ts";
import { pathOf, saved, shown, whyNotSaved } from "./give.ts";

test.each([
  ["a/b.png", "image/png", 0, "a/b.png"],
  ["a/b.png", "image/png", 2, "a/b-3.png"],
  ["a.b/c.jpeg", "image/jpeg", 1, "a.b/c-2.jpeg"],
  ["a.png", "image/webp", 0, "a.webp"],
  ["a.opus", "audio/ogg", 0, "a.opus"],
  ["a.ogg", "audio/ogg", 0, "a.ogg"],
])("%s of %s, the %ith, lies at its path with a true ending", (saveAs, type, index, path) => {
  expect(pathOf(saveAs, type, index)).toBe(path);
});

const made = (bytes: Buffer) => ({ bytes, mimeType: "image/png", about: {} });

test("what fits is content, and what doesn't is told to become a file", () => {
  expect(shown("image", [made(PNG)], { model: "m" })).toEqual({
    ok: true,
    value: {
      $bulkhead: "content",
      content: [
        { type: "image", data: PNG.toString("base64"), mimeType: "image/png" },
        { type: "json", json: { model: "m" } },
      ],
    },
  });
  const large = made(Buffer.alloc(SHOWN_BYTES_MAX / 2 + 1));
  expect(shown("image", [large, large], {})).toMatchObject({
    code: "capability_limit",
    message: expect.stringContaining("saveAs"),
  });
});

test("each becomes a file, and what stands when one can't is told", async () => {
  const world = new MediaWorld();
  const twice = [made(PNG), { ...made(PNG), about: { revisedPrompt: "r" } }];
  expect(await saved(world.call, twice, "p.png", { model: "m" })).toMatchObject({
    ok: true,
    value: {
      model: "m",
      files: [
        { path: "p.png", size: PNG.length },
        { path: "p-2.png", revisedPrompt: "r" },
      ],
    },
  });
  let writes = 0;
  const ask = async () =>
    writes++ === 0
      ? { ok: true as const, value: { path: "p.png" } }
      : { ok: false as const, code: "capability_limit" as const, message: "The quota is used up." };
  expect(await saved({ ...world.call, ask }, twice, "p.png", {})).toEqual({
    ok: false,
    code: "capability_limit",
    message: "What was made could not be saved: The quota is used up. Saved before: p.png.",
  });
});

test("a path that can't be is refused before anything is made", async () => {
  const world = new MediaWorld();
  expect(await whyNotSaved(world.call, "a.png")).toBeNull();
  world.exists = { ok: true, value: { exists: true, kind: "folder" } };
  expect(await whyNotSaved(world.call, "a.png")).toMatchObject({ code: "conflict" });
  world.exists = { ok: false, code: "invalid_request", message: "path: must not go up" };
  expect((await whyNotSaved(world.call, "../a.png"))?.message).toBe("saveAs: path: must not go up");
});
