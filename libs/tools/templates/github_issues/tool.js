/** The most that GitHub puts on one page. */
const PAGE_SIZE = 100;
/** A server that always names a next page must not keep the tool going; as many as the tool's `networkRequests`. */
const PAGES_MAX = 10;

export async function run({ repository, state = "open", limit = 50 }) {
  const issues = [];
  const query = new URLSearchParams({ state, per_page: Math.min(limit, PAGE_SIZE) });
  let next = `https://api.github.com/repos/${repository}/issues?${query}`;
  for (let page = 1; next !== null && issues.length < limit && page <= PAGES_MAX; page += 1) {
    const { items, nextPage } = await readPage(next);
    // GitHub lists pull requests as issues.
    issues.push(...items.filter((item) => !item.pull_request).map(toIssue));
    next = nextPage;
    emit({ page, issues: issues.length });
  }
  return { issues: issues.slice(0, limit), complete: next === null && issues.length <= limit };
}

async function readPage(url) {
  const answer = await fetch(url, {
    headers: {
      accept: "application/vnd.github+json",
      // A placeholder, which becomes the token on its way to api.github.com and to no other host.
      authorization: `Bearer ${utils.getApiKey("github")}`,
    },
  });
  if (!answer.ok)
    throw new Error(`GitHub answered ${answer.status}: ${utils.truncate(await answer.text(), 200)}`);
  return { items: await answer.json(), nextPage: nextLink(answer.headers.get("link")) };
}

/** The address behind `rel="next"` of a `Link` header; null on the last page. */
const nextLink = (header) => /<([^>]+)>;\s*rel="next"/.exec(header ?? "")?.[1] ?? null;

const toIssue = ({ number, title, state, labels, html_url: url }) => ({
  number,
  title,
  state,
  labels: labels.map(({ name }) => name),
  url,
});
