/** Calls that go on at one time: each is an execution of its own, which takes a place of the tenant's. */
const AT_ONCE = 3;

export async function run({ urls, length = 500 }) {
  const pages = [];
  const failed = [];
  for (const group of utils.chunk(urls, AT_ONCE)) {
    const settled = await Promise.allSettled(group.map((url) => digest(url, length)));
    settled.forEach(({ status, value, reason }, index) => {
      if (status === "fulfilled") pages.push(value);
      else failed.push({ url: group[index], reason: reason.message });
    });
    emit({ done: pages.length + failed.length, of: urls.length });
  }
  // One page that fails is a fact for the caller. All of them failing is an error.
  if (pages.length === 0) throw new Error(`No page could be read: ${failed[0].reason}`);
  return { pages, failed };
}

async function digest(url, length) {
  const page = await utils.callTool("web_fetch", { url });
  if (page.status >= 400) throw new Error(`${page.url} answered ${page.status}.`);
  // Another tool of the tenant, by its name: it has its own limits, versions and bill.
  const { text } = await utils.callTool("clean_text", {
    text: page.text,
    keepLines: false,
    maxLength: length,
  });
  return { url: page.url, title: page.title ?? "", text };
}
