/** Lies in every exported archive. */
export const EXPORT_README = `# Export of a tenant

- \`tenant.json\` is the tenant with its limits and settings; every \`*.ndjson\` has one JSON object in each line.
- \`manifest.json\` is written last, with the number of lines of each file. An archive without it, or that does not open, was cut off.
- It is no picture of one moment: each file is read while it is written, one after the other, and work goes on meanwhile.
  \`startedAt\` and \`finishedAt\` of the manifest say within which time.
- Secrets are not in it: neither the values of a service's secret fields (their names are), nor covered values of scrub rules, the
  secrets of callbacks, the signing secret, or keys and their hashes.
- \`execution-attempts.ndjson\` has the tries that were followed by another; the last one stands in \`executions.ndjson\`.
- \`execution-logs.ndjson\` has the events of executions whose log is kept: those that said something, from about a second after
  their end, for as long as the tenant and its tools have logs kept.
- \`usage.ndjson\` has a line for each UTC day and tool; dry runs have no tool.
- Approvals of calls stand in \`approval\` of \`executions.ndjson\`, those of agents' meta-tools in \`meta-tool-approvals.ndjson\`.
- \`policy.ndjson\` has which tools the tenant's agents get, in one line; none where nobody has said so.
- \`files.ndjson\` has the files of all workspaces, an empty agent or user being none; a line of \`file-versions.ndjson\` lists the
  \`chunks\` of its bytes in their order, which stand by their hashes, in Base64, in \`file-chunks.ndjson\`.
- \`data-documents.ndjson\` has the documents of custom data, each with its \`value\`, by the collections of
  \`data-collections.ndjson\`; an empty agent or user is none.
- A line of \`tool-versions.ndjson\` has its decision in \`review\`, null where nobody had to decide.
`;
