const PAGE_CHARS_MAX = 200_000;
const PASSAGES_MAX = 3;
const LINKS_MAX = 10;
/** Characters before and after a word in its passage. */
const AROUND = 120;

export async function run({ url, words }) {
  const page = await utils.callTool("web_fetch", { url, maxLength: PAGE_CHARS_MAX });
  if (page.status >= 400) throw new Error(`${page.url} answered ${page.status}.`);
  return {
    title: page.title ?? "",
    url: page.url,
    found: words.map((word) => ({ word, ...placesOf(page.text, word) })),
    links: page.links
      .filter(({ text }) => words.some((word) => holds(text, word)))
      .slice(0, LINKS_MAX)
      .map(({ text, url: target }) => ({ text, url: target })),
    truncated: page.truncated,
  };
}

const holds = (text, word) => text.toLowerCase().includes(word.toLowerCase());

/** How often the word stands in the text, and the first passages around it; no expression is made of a caller's word. */
function placesOf(text, word) {
  const [within, wanted] = [text.toLowerCase(), word.toLowerCase()];
  const passages = [];
  let times = 0;
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + wanted.length)) {
    times += 1;
    if (passages.length < PASSAGES_MAX) passages.push(passageAt(text, at, wanted.length));
  }
  return { times, passages };
}

const passageAt = (text, at, length) =>
  text
    .slice(Math.max(0, at - AROUND), at + length + AROUND)
    .replace(/\s+/g, " ")
    .trim();
