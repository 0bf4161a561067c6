/** What the gateway's guide shows, as it is written there. */

export const FETCH_WEATHER = {
  name: "fetch_weather",
  description: "Fetch current weather for a city",
  parameters: {
    type: "object",
    properties: { city: { type: "string", description: "City name" } },
    required: ["city"],
  },
  code: "const key = utils.getApiKey('weatherapi');\nconst res = await fetch(`https://api.weatherapi.com/v1/current.json?key=${key}&q=${args.city}`);\nreturn await res.json();",
  category: "Weather",
  permissions: ["network"],
  createdBy: "user",
  requiredApiKeys: [{ name: "weatherapi", displayName: "WeatherAPI", description: "Weather data API" }],
};

export const REQUIRED_API_KEYS = {
  required_api_keys: [
    {
      name: "weatherapi",
      displayName: "WeatherAPI",
      description: "Weather data provider for current and forecast data",
      category: "weather",
      docsUrl: "https://www.weatherapi.com/docs/",
    },
  ],
};

export const TEST_REQUEST = {
  name: "test_tool",
  description: "Test description",
  parameters: { type: "object", properties: {} },
  code: "return { hello: 'world' };",
  permissions: [],
  testArguments: {},
};

interface Example {
  name: string;
  permissions: string[];
  parameters: object;
  code: string;
  /** Arguments, and what a run answers to them where nothing is configured and no network is reached. */
  call: object;
  result: unknown;
}

export const EXAMPLES: Example[] = [
  {
    name: "word_frequency",
    permissions: [],
    parameters: {
      type: "object",
      properties: { text: { type: "string", description: "Text to analyze" } },
      required: ["text"],
    },
    code: `const words = args.text.toLowerCase().match(/\\b\\w+\\b/g) || [];
const freq = {};
for (const word of words) {
  freq[word] = (freq[word] || 0) + 1;
}
const sorted = Object.entries(freq)
  .sort((a, b) => b[1] - a[1])
  .slice(0, 20);
return { totalWords: words.length, uniqueWords: Object.keys(freq).length, top20: sorted };`,
    call: { text: "to be or not to be" },
    result: {
      totalWords: 6,
      uniqueWords: 4,
      top20: [
        ["to", 2],
        ["be", 2],
        ["or", 1],
        ["not", 1],
      ],
    },
  },
  {
    name: "weather_of_city",
    permissions: ["network"],
    parameters: {
      type: "object",
      properties: { city: { type: "string", description: "City name" } },
      required: ["city"],
    },
    code: `const apiKey = utils.getApiKey('weatherapi');
if (!apiKey) return { error: 'WeatherAPI key not configured. Please add it in Config Center.' };

const url = \`https://api.weatherapi.com/v1/current.json?key=\${apiKey}&q=\${utils.urlEncode(args.city)}\`;
const response = await fetch(url);
if (!response.ok) return { error: \`API error: \${response.status}\` };

const data = await response.json();
return {
  location: data.location.name,
  country: data.location.country,
  temp_c: data.current.temp_c,
  condition: data.current.condition.text,
  humidity: data.current.humidity,
  wind_kph: data.current.wind_kph,
};`,
    call: { city: "Bern" },
    result: { error: "WeatherAPI key not configured. Please add it in Config Center." },
  },
  {
    name: "csv_analyzer",
    permissions: [],
    parameters: {
      type: "object",
      properties: {
        csv: { type: "string", description: "CSV data as string" },
        numeric_column: { type: "string", description: "Column name with numeric data" },
      },
      required: ["csv"],
    },
    code: `const records = utils.parseCsv(args.csv);
if (records.length === 0) return { error: 'No records found in CSV' };

const columns = Object.keys(records[0]);
const result = {
  rowCount: records.length,
  columns: columns,
  id: utils.uuid(),
  analyzedAt: utils.now(),
};

if (args.numeric_column && columns.includes(args.numeric_column)) {
  const values = records
    .map(r => parseFloat(r[args.numeric_column]))
    .filter(v => !isNaN(v));
  result.stats = {
    count: values.length,
    sum: utils.sum(values),
    avg: utils.round(utils.avg(values), 2),
    min: Math.min(...values),
    max: Math.max(...values),
  };
}

return result;`,
    call: { csv: "name,price\na,1\nb,3", numeric_column: "price" },
    result: { rowCount: 2, columns: ["name", "price"], stats: { count: 2, sum: 4, avg: 2, min: 1, max: 3 } },
  },
];
