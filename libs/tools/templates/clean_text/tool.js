/** What is done to a text, in this order; each expression takes linear time, whatever the text. */
const STEPS = [
  // One form for each letter, so that equal texts are equal.
  (text) => text.normalize("NFC"),
  (text) => text.replace(/\r\n?/g, "\n"),
  (text) => text.replace(/<(script|style)\b[^<]*<\/\1>/gi, " "),
  (text) => text.replace(/<\/?[a-z][^<>]*>/gi, " "),
  (text) => text.replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (_, name) => ENTITIES[name]),
  // Controls, and marks that take no room: zero-width spaces, the byte order mark, changes of direction.
  (text) => text.replace(/[^\P{Cc}\t\n]/gu, ""),
  (text) => text.replace(/[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, ""),
  (text) => text.replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " "),
  (text) => text.replace(/[\u2018\u2019\u201a\u201b]/g, "'").replace(/[\u201c-\u201f]/g, '"'),
  (text) => text.replace(/[\u2010-\u2015\u2212]/g, "-").replaceAll("\u2026", "..."),
];
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", "#39": "'", nbsp: " " };

export async function run({ text, keepLines = true, maxLength }) {
  const plain = STEPS.reduce((before, step) => step(before), text);
  const spaced = keepLines ? spaceLines(plain) : plain.replace(/\s+/g, " ").trim();
  const cut = maxLength === undefined ? spaced : utils.truncate(spaced, maxLength);
  return {
    text: cut,
    words: utils.countWords(cut),
    charactersRemoved: Math.max(0, text.length - cut.length),
  };
}

/** One space between words, one empty line at most between paragraphs, none around the whole. */
const spaceLines = (text) =>
  text
    .split("\n")
    .map((line) => line.replace(/[ \t]+/g, " ").trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
