import { expect, test } from "vitest";
import { configsOf, JPEG, MediaWorld, PNG, serviceOf, WEBP } from "../fixtures/media-world.ts";
import { makeImages } from "./run.ts";

const OWN = serviceOf(
  "image",
  { base_url: "https://own.example/v1", model: "flux" },
  { key: "own-key-4711" },
);
const b64 = (bytes: Buffer) => ({ b64_json: bytes.toString("base64") });
const make = (world: MediaWorld, args: Record<string, string | number>, service = OWN) =>
  makeImages({ configs: configsOf(service), byDefault: null }, { prompt: "a ship", ...args }, world.call);

test("a model is asked as OpenAI's API is, and its pictures are content", async () => {
  const world = new MediaWorld();
  world.answers = [{ body: { data: [{ ...b64(PNG), revised_prompt: "a\n ship" }, b64(WEBP), b64(PNG)] } }];
  expect(await make(world, { n: 2, size: "512x512", quality: "hd" })).toMatchObject({
    ok: true,
    value: {
      content: [
        { type: "image", mimeType: "image/png" },
        { type: "image", mimeType: "image/webp" },
        {
          json: {
            model: "flux",
            pictures: [
              { mimeType: "image/png", bytes: PNG.length, revisedPrompt: "a ship" },
              { mimeType: "image/webp", bytes: WEBP.length },
            ],
          },
        },
      ],
    },
  });
  const [request] = world.requests;
  expect([request?.method, request?.url, request?.redirect]).toEqual([
    "POST",
    "https://own.example/v1/images/generations",
    "error",
  ]);
  expect(Object.fromEntries(request?.headers ?? [])).toEqual({
    accept: "application/json",
    "content-type": "application/json",
    authorization: `Bearer ${world.placed[0]?.placeholder}`,
  });
  const asked = { model: "flux", prompt: "a ship", n: 2, size: "512x512", quality: "hd" };
  expect(JSON.parse(request?.body ?? "")).toEqual({ ...asked, response_format: "b64_json" });
});

test("models that always answer bytes are not asked for them, and make the file's type", async () => {
  const world = new MediaWorld();
  world.answers = [{ body: { data: [b64(JPEG)] } }];
  const answer = await make(world, { model: "gpt-image-1", saveAs: "a/b.jpg", background: "opaque" });
  expect(answer).toMatchObject({
    value: { model: "gpt-image-1", files: [{ path: "a/b.jpg", size: JPEG.length, mimeType: "image/jpeg" }] },
  });
  expect(JSON.parse(world.requests[0]?.body ?? "")).toEqual({
    model: "gpt-image-1",
    prompt: "a ship",
    n: 1,
    background: "opaque",
    output_format: "jpeg",
  });
  expect(world.asked.map(([operation]) => operation)).toEqual(["exists", "write"]);
});

test("a picture that lies elsewhere is fetched without the key", async () => {
  const world = new MediaWorld();
  world.answers = [{ body: { data: [{ url: "https://cdn.example/1.png" }] } }, { body: PNG }];
  expect(await make(world, {})).toMatchObject({ ok: true });
  const [, fetched] = world.requests;
  expect(fetched).toMatchObject({ url: "https://cdn.example/1.png", method: "GET", redirect: "follow" });
  expect(JSON.stringify(fetched)).not.toContain("bhs_");
  world.answers = [{ body: { data: [{ url: "https://cdn.example/1.png" }] } }, { status: 404, body: "" }];
  expect(await make(world, {})).toMatchObject({
    code: "failed",
    message: expect.stringMatching(/status 404/),
  });
});

test("of several pictures one that can't be had takes no other along", async () => {
  const world = new MediaWorld();
  const at = (n: number) => ({ url: `https://cdn.example/${n}.png` });
  const lists = [{ body: { data: [at(1), { b64_json: "<script>" }, at(3), b64(JPEG)] } }];
  const answers = [...lists, { status: 404, body: "" }, { body: PNG }];
  const missing = [
    { picture: 1, code: "failed", why: expect.stringMatching(/cdn\.example .* the status 404/) },
    { picture: 2, code: "failed", why: expect.stringMatching(/is no picture in PNG/) },
  ];
  world.answers = [...answers];
  const pictures = [{ mimeType: "image/png" }, { mimeType: "image/jpeg" }];
  expect(await make(world, { n: 4 })).toMatchObject({
    value: {
      content: [{ type: "image" }, { type: "image" }, { json: { model: "flux", missing, pictures } }],
    },
  });
  world.answers = [...answers];
  expect(await make(world, { n: 4, saveAs: "a.png" })).toMatchObject({
    value: { missing, files: [{ path: "a.png" }, { path: "a-2.jpg" }] },
  });
});

test.each([
  ["no JSON", "<html>", /no list of pictures/],
  ["no data", {}, /no list of pictures/],
  ["an empty list", { data: [] }, /no list of pictures/],
  ["a list of texts", { data: ["x"] }, /no list of pictures/],
  ["bytes that are no base64", { data: [{ b64_json: "<script>" }] }, /no list of pictures/],
  ["a file of the machine", { data: [{ url: "file:///etc/passwd" }] }, /no list of pictures/],
  ["a page in place of a picture", { data: [b64(Buffer.from("<svg onload=x>"))] }, /no picture in PNG/],
])("an answer with %s is refused", async (_, body, message) => {
  const world = new MediaWorld();
  world.answers = [{ body }];
  expect(await make(world, {})).toMatchObject({
    ok: false,
    code: "failed",
    message: expect.stringMatching(message),
  });
});

test("nothing is asked for without a network, a model or a path that can be", async () => {
  const world = new MediaWorld();
  world.hasNetwork = false;
  expect(await make(world, {})).toMatchObject({ code: "tool_not_allowed" });
  world.hasNetwork = true;
  expect(await make(world, {}, serviceOf("image", null))).toMatchObject({
    code: "capability_denied",
    message: expect.stringContaining('make a service "image" of the kind image'),
  });
  world.exists = { ok: false, code: "invalid_request", message: "path: goes up" };
  expect(await make(world, { saveAs: "../a.png" })).toMatchObject({ code: "invalid_request" });
  expect(world.requests).toEqual([]);
});
