const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** What XML 1.0 has no place for, not even as an entity. */
const NO_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Text as it may stand in XML, between tags and in an attribute alike; a space for each character that may not. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(NO_XML, " ")
    .replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? " ");

interface Said {
  text: string;
  voice: string;
  language: string;
  /** 1 is usual. */
  speed: number;
}

/** Speech Synthesis Markup Language, in which nothing of the text is markup. */
export function ssmlOf({ text, voice, language, speed }: Said): string {
  const percent = Math.round((speed - 1) * 100);
  const said = escapeXml(text);
  const paced =
    percent === 0 ? said : `<prosody rate="${percent > 0 ? "+" : ""}${percent}%">${said}</prosody>`;
  const voiced = `<voice name="${escapeXml(voice)}">${paced}</voice>`;
  return `<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="${escapeXml(language)}">${voiced}</speak>`;
}
