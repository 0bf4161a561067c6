/** What a coding agent reads before it changes tools: `AGENTS.md`. */
export const AGENTS_GUIDE = `# Tools in this folder

Each folder with a \`manifest.json\` is a tool, which Bulkhead runs in a sandbox when a model or a program calls it.

\`\`\`
word_count/
  manifest.json        name, description, parameters (JSON Schema), permissions, limits
  tool.js or tool.ts   its code
  examples/*.json      calls of it, and what has to come of them
  approval.js          optional: says of each call whether a person has to allow it (\`return args.usd > 100;\`)
  README.md            optional
\`\`\`

A \`tools.ts\` may hold several tools: functions with a zod schema \`<name>Schema\` beside them, or tools of the AI SDK. Their
examples are \`examples/<tool>.json\` and \`examples/<tool>/*.json\` beside it.

## Commands

| command | what |
| --- | --- |
| \`npx bulkhead test\` | runs every example in the real sandbox; nothing outside is reached, and nothing is changed |
| \`npx bulkhead new --list\` | templates to begin with; \`npx bulkhead new <template> <name>\` writes one |
| \`npx bulkhead status\`, \`npx bulkhead diff\` | what differs from the server |
| \`npx bulkhead push\` | sends the tools: **only when you are asked to**, for it changes what others run |

Run \`npm install\` first, so that \`npx bulkhead\` is the one that \`package.json\` names. Run the tests after each change. Write an
example for what you add, and one for the mistake that a caller is most likely to make.

## Code

\`\`\`js
export async function run({ city, days = 3 }) {
  const { daily } = await api.rest({ url: \`https://api.example.com/forecast?\${new URLSearchParams({ city })}\`, auth: "weather" });
  if (!Array.isArray(daily)) throw new Error(\`There is no forecast for \${city}; name a larger town.\`);
  return daily.slice(0, days);
}
\`\`\`

- The exported function gets the arguments as one object, and as a second one who calls. It returns any JSON. Each call begins
  anew: nothing is kept between calls.
- \`bulkhead.d.ts\` declares all that there is: \`utils\` (\`callTool\`, \`parseCsv\`, \`dateAdd\`, \`hash\`, …), \`api\`, \`fetch\`, \`emit\`,
  \`console\`, \`crypto\`, \`URL\`, \`setTimeout\` and the like. There is no \`process\`, \`require\`, \`globalThis\`, \`eval\`, \`Function\`, DOM,
  file or environment. Code with these words is refused.
- \`import\` takes npm packages that need no module of Node, and files beside the tool; all become one file of 256 KiB at most.
- In \`tool.ts\` types are taken out, not compiled: no \`enum\`, no \`namespace\`, no parameter properties.
- An error is read by a model: say what is wrong with the call and what to do instead.

## manifest.json

- \`description\`: what the tool does and when to use it; models choose by it. \`parameters\`: JSON Schema of an object, with a
  \`description\` and bounds for each property, and \`"additionalProperties": false\`. A \`default\` is for the reader; the code has
  it too. \`outputSchema\`: JSON Schema of the result, which is checked.
- \`permissions\`: \`[]\`, or \`["network"]\` for \`fetch\`, \`api.rest\` and \`api.graphql\`. With it, \`allowedHosts\` lists every host, such
  as \`["api.example.com"]\`.
- \`requiredConfigServices\`: \`[{"name": "weather"}]\` for services whose key the tool needs. Never write a key into code, a
  manifest or an example, and never ask for one: \`auth: "weather"\` of \`api.rest\` sends it, \`utils.getApiKey("weather")\` gives what
  becomes the key on its way out, and a person sets it (\`npx bulkhead secrets set weather.api_key\`).
- \`limits\`: \`cpuMs\`, \`wallMs\`, \`memoryMib\`, \`networkRequests\`, \`nestedCalls\`. Ask for what the tool needs.
- \`idempotent\`: \`true\` where a second run does no harm. \`approval\`: \`"ask"\` where a person has to allow each call;
  where that depends on the arguments, write \`approval.js\` instead, or \`needsApproval: ({ usd }) => usd > 100\` in a \`tools.ts\`.
- More permissions, hosts or limits than before may have to be allowed by a person before the new version runs.

## Examples

\`\`\`json
{
  "description": "Two days of a town that is known.",
  "arguments": { "city": "Bern", "days": 2 },
  "fetch": [{ "url": "https://api.example.com/forecast?city=Bern", "body": { "daily": [{ "high": 21 }, { "high": 19 }] } }],
  "result": [{ "high": 21 }, { "high": 19 }]
}
\`\`\`

- \`result\` is the whole result, or \`{"$match": …}\` where objects may have further fields, \`{"$schema": JSON Schema}\` for what
  changes from run to run, \`{"$error": "tool.threw"}\` where the call has to fail. Left out: the call succeeds.
- \`fetch\` answers requests (\`method\`, \`url\`, \`status\`, \`headers\`, \`body\`), and \`calls\` the calls of other tools (\`name\`, \`result\`).
  What has no answer fails.
`;
