import { expect, test } from "vitest";
import { JPEG, MP3, OGG, PNG, WEBP } from "./fixtures/media-world.ts";
import { isSpeech, pictureTypeOf, wavOf, withTrueSizes } from "./media-type.ts";

test.each([
  [PNG, "image/png"],
  [JPEG, "image/jpeg"],
  [WEBP, "image/webp"],
  [Buffer.from("<svg onload='x'>"), null],
  [Buffer.from("GIF89a"), null],
  [PNG.subarray(0, 7), null],
  [Buffer.from("RIFF\u0000\u0000\u0000\u0000WAVEfmt "), null],
  [Buffer.alloc(0), null],
])("a picture is what its first bytes are: %j", (bytes, type) => expect(pictureTypeOf(bytes)).toBe(type));

const WAV = wavOf(Buffer.alloc(8, 1), 24_000);

test.each([
  ["mp3", MP3],
  ["mp3", Buffer.from("ID3\u0004")],
  ["wav", WAV],
  ["opus", OGG],
] as const)("sound is %s by its first bytes alone", (format, bytes) => {
  expect(isSpeech(format, bytes)).toBe(true);
  for (const other of ["mp3", "wav", "opus"] as const)
    if (other !== format) expect(isSpeech(other, bytes)).toBe(false);
});

test("neither text nor other containers are sound", () => {
  for (const bytes of [Buffer.from("<html>"), JPEG, Buffer.from("OggS and vorbis"), Buffer.alloc(0)])
    for (const format of ["mp3", "wav", "opus"] as const) expect(isSpeech(format, bytes)).toBe(false);
});

test("sound that was written to a pipe gets its true sizes", () => {
  expect([WAV.readUInt32LE(4), WAV.readUInt32LE(40), WAV.readUInt32LE(24)]).toEqual([44, 8, 24_000]);
  expect(withTrueSizes(WAV)).toEqual(WAV);
  const streamed = Buffer.from(WAV);
  streamed.writeUInt32LE(0xffff_ffff, 4);
  streamed.writeUInt32LE(0x7fff_f000, 40);
  expect(withTrueSizes(streamed)).toEqual(WAV);
});

test("a head without sound, and chunks that lead nowhere, are none", () => {
  expect(withTrueSizes(wavOf(Buffer.alloc(0), 24_000))).toBeNull();
  expect(withTrueSizes(Buffer.from("RIFF\u0000\u0000\u0000\u0000WAVE"))).toBeNull();
  const odd = Buffer.concat([
    Buffer.from("RIFF....WAVELIST"),
    Buffer.from([255, 255, 255, 255]),
    Buffer.alloc(9),
  ]);
  expect(withTrueSizes(odd)).toBeNull();
});
