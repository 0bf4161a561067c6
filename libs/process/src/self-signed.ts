import { generateKeyPairSync, sign } from "node:crypto";

/** A key and a certificate that signs itself, as PEM. */
export interface SelfSigned {
  key: string;
  cert: string;
}

const tlv = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, Math.floor(length / 256), length % 256];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: Buffer[]): Buffer => tlv(0x30, ...parts);
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, "hex"));
const time = (text: string): Buffer => tlv(0x18, Buffer.from(text));

const ECDSA_SHA256 = sequence(oid("2a8648ce3d040302"));
const COMMON_NAME = oid("550403");
const ALT_NAME = oid("551d11");
const BASIC_CONSTRAINTS = oid("551d13");

/** Makes a certificate for `hosts`, for who is told to trust it alone; X.509 version 3 (RFC 5280), ECDSA on P-256. */
export function makeSelfSigned(hosts: readonly string[]): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(tlv(0x31, sequence(COMMON_NAME, tlv(0x0c, Buffer.from("bulkhead")))));
  const altNames = sequence(...hosts.map((host) => tlv(0x82, Buffer.from(host))));
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, tlv(0x04, sequence(tlv(0x01, Buffer.from([0xff]))))),
    sequence(ALT_NAME, tlv(0x04, altNames)),
  );
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1])),
    ECDSA_SHA256,
    name,
    sequence(time("20200101000000Z"), time("21200101000000Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tlv(0xa3, extensions),
  );
  const signature = tlv(0x03, Buffer.from([0]), sign("sha256", body, privateKey));
  const lines =
    sequence(body, ECDSA_SHA256, signature)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
  };
}
