import { ask } from "./bridge.ts";
import { blobBytes, File, joinBytes } from "./blob.ts";
import { FormData } from "./form-data.ts";
import { latin1 } from "./latin1.ts";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

const PARTS_MAX = 10_000;

const escapeName = (name: string): string =>
  name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
const lines = (text: string): string => text.replace(/\r\n|\r|\n/g, "\r\n");

/** A form as `multipart/form-data` (RFC 7578), with a boundary that nobody can foretell. */
export function writeMultipart(form: FormData): { bytes: Uint8Array<ArrayBuffer>; type: string } {
  const boundary = `----formdata-${ask("uuid", "", "")}`;
  const parts: Uint8Array[] = [];
  for (const [name, value] of form) {
    const disposition = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(lines(name))}"`;
    if (value instanceof File) {
      const type = value.type === "" ? "application/octet-stream" : value.type;
      const head = `${disposition}; filename="${escapeName(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`;
      parts.push(encodeUtf8(head), blobBytes(value), encodeUtf8("\r\n"));
    } else parts.push(encodeUtf8(`${disposition}\r\n\r\n${lines(value)}\r\n`));
  }
  parts.push(encodeUtf8(`--${boundary}--\r\n`));
  return { bytes: joinBytes(parts), type: `multipart/form-data; boundary=${boundary}` };
}

/** Reads a form. Throws a TypeError for any other bytes. */
export function readMultipart(bytes: Uint8Array<ArrayBuffer>, contentType: string): FormData {
  const match = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) throw new TypeError("the form has no boundary");
  const form = new FormData();
  const text = latin1(bytes);
  const delimiter = `\r\n--${boundary}`;
  let at = text.startsWith(`--${boundary}`) ? delimiter.length - 2 : endOf(text, delimiter, 0);
  for (let count = 0; !text.startsWith("--", at); count++) {
    const headEnd = text.indexOf("\r\n\r\n", at);
    const end = text.indexOf(delimiter, headEnd + 2);
    if (headEnd < 0 || end < 0 || count >= PARTS_MAX)
      throw new TypeError("the form is cut off or has too many parts");
    appendPart(form, decodeUtf8(bytes.subarray(at, headEnd), false, true), bytes.subarray(headEnd + 4, end));
    at = end + delimiter.length;
  }
  return form;
}

function endOf(text: string, delimiter: string, from: number): number {
  const at = text.indexOf(delimiter, from);
  if (at < 0) throw new TypeError("the form does not hold its boundary");
  return at + delimiter.length;
}

function appendPart(form: FormData, head: string, content: Uint8Array<ArrayBuffer>): void {
  const name = parameter(head, "name");
  if (name === null) throw new TypeError("a part of the form has no name");
  const filename = parameter(head, "filename");
  if (filename === null) return form.append(name, decodeUtf8(content, false, true));
  const type = /^content-type:[ \t]*([^\r\n]*[^\r\n \t])/im.exec(head)?.[1] ?? "text/plain";
  form.append(name, new File([content], filename, { type }));
}

function parameter(head: string, name: string): string | null {
  const disposition = /^content-disposition:[ \t]*form-data([^\r\n]*)/im.exec(head)?.[1] ?? "";
  const value = new RegExp(`;[ \\t]*${name}="([^"]*)"`, "i").exec(disposition)?.[1];
  if (value === undefined) return null;
  return value.replace(/%0A/gi, "\n").replace(/%0D/gi, "\r").replace(/%22/g, '"');
}
