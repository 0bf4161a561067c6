const ENDPOINT = "https://api.search.brave.com/res/v1/web/search";

export async function run({ query, count = 5 }) {
  const answer = await api.rest({
    url: `${ENDPOINT}?${new URLSearchParams({ q: query, count })}`,
    // The key goes along as this header. The code never sees it, and it goes to no other host.
    auth: { service: "brave_search", scheme: "header", header: "X-Subscription-Token" },
  });
  // What a service leaves out must not break the tool: an answer without results is an empty list.
  const results = answer?.web?.results ?? [];
  return {
    pages: results.slice(0, count).map(({ title = "", url, description = "" }) => ({
      title,
      url,
      description: utils.truncate(description, 300),
    })),
  };
}
