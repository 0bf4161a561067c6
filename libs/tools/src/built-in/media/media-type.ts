import type { SpeechFormat } from "./schema.ts";

export type PictureType = "image/png" | "image/jpeg" | "image/webp";

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

const startsWith = (bytes: Buffer, magic: Buffer): boolean => bytes.subarray(0, magic.length).equals(magic);
const hasAt = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.toString("latin1", at, at + text.length) === text;
const isRiff = (bytes: Buffer, form: string): boolean => hasAt(bytes, 0, "RIFF") && hasAt(bytes, 8, form);

/** What a picture is by its first bytes, whatever it is said to be; null for all that isn't made here. */
export function pictureTypeOf(bytes: Buffer): PictureType | null {
  if (startsWith(bytes, PNG)) return "image/png";
  if (startsWith(bytes, JPEG)) return "image/jpeg";
  return isRiff(bytes, "WEBP") ? "image/webp" : null;
}

/** Frames of MPEG audio begin with eleven set bits and a layer, here the third. */
const isMp3 = (bytes: Buffer): boolean =>
  hasAt(bytes, 0, "ID3") || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2);

const IS: Readonly<Record<SpeechFormat, (bytes: Buffer) => boolean>> = {
  mp3: isMp3,
  wav: (bytes) => isRiff(bytes, "WAVE"),
  opus: (bytes) => hasAt(bytes, 0, "OggS") && bytes.subarray(0, 64).includes("OpusHead"),
};

export const SPEECH_TYPES = {
  mp3: "audio/mpeg",
  wav: "audio/wav",
  opus: "audio/ogg",
} as const satisfies Record<SpeechFormat, string>;

export const isSpeech = (format: SpeechFormat, bytes: Buffer): boolean => IS[format](bytes);

const WAV_HEAD_BYTES = 44;

/** Samples of 16 bits, one channel, as a file of sound. */
export function wavOf(samples: Buffer, perSecond: number): Buffer {
  const head = Buffer.alloc(WAV_HEAD_BYTES);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(WAV_HEAD_BYTES - 8 + samples.length, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(perSecond, 24);
  head.writeUInt32LE(perSecond * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/**
 * The same with its true sizes, which whoever writes to a pipe can't know beforehand; null where no sound is in it. Players
 * stop short, or show hours, by wrong ones.
 */
export function withTrueSizes(wav: Buffer): Buffer | null {
  for (let at = 12; at + 8 <= wav.length;) {
    const said = wav.readUInt32LE(at + 4);
    if (!hasAt(wav, at, "data")) {
      at += 8 + said + (said % 2);
      continue;
    }
    const size = Math.min(said, wav.length - at - 8);
    if (size === 0) return null;
    const mended = Buffer.from(wav);
    mended.writeUInt32LE(size, at + 4);
    mended.writeUInt32LE(wav.length - 8, 4);
    return mended;
  }
  return null;
}
