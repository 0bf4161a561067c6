const QUERY = `
  query Repository($owner: String!, $name: String!) {
    repository(owner: $owner, name: $name) {
      description
      licenseInfo { spdxId }
      stargazerCount
      issues(states: OPEN) { totalCount }
      pullRequests(states: OPEN) { totalCount }
      latestRelease { tagName }
      pushedAt
    }
  }
`;

export async function run({ owner, name }) {
  const { repository } = await api.graphql({
    url: "https://api.github.com/graphql",
    query: QUERY,
    // Values travel as variables, never within the query's text: so nothing of a caller's can change what is asked.
    variables: { owner, name },
    auth: "github",
  });
  if (!repository) throw new Error(`There is no repository ${owner}/${name}, or the token may not see it.`);
  return {
    description: repository.description,
    licence: repository.licenseInfo?.spdxId ?? null,
    stars: repository.stargazerCount,
    openIssues: repository.issues.totalCount,
    openPullRequests: repository.pullRequests.totalCount,
    latestRelease: repository.latestRelease?.tagName ?? null,
    pushedAt: repository.pushedAt,
  };
}
