/** Digits with an optional sign, thousands' separators and a decimal point: 1,234.50. */
const NUMBER = /^[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/;

export async function run({ csv, groupBy, sum, delimiter = ",", limit = 100 }) {
  const rows = utils.parseCsv(csv, delimiter);
  requireColumns(rows, [groupBy, sum]);
  const read = rows.map((row) => ({ group: row[groupBy].trim(), value: toNumber(row[sum]) }));
  const counted = read.filter(({ value }) => value !== null);
  const groups = Object.entries(utils.groupBy(counted, "group"))
    .map(([group, members]) => ({ group, rows: members.length, ...figuresOf(members) }))
    .toSorted((a, b) => b.sum - a.sum || a.group.localeCompare(b.group));
  return {
    rows: rows.length,
    unreadable: read.length - counted.length,
    total: utils.round(utils.sum(counted.map(({ value }) => value))),
    groups: groups.slice(0, limit),
    groupsLeftOut: Math.max(0, groups.length - limit),
  };
}

/** A wrong name of a column is the likeliest mistake, so that the error lists the right ones. */
function requireColumns(rows, wanted) {
  const [first] = rows;
  if (!first) throw new Error("The CSV has no rows below its header.");
  const columns = Object.keys(first);
  const missing = wanted.filter((column) => !columns.includes(column));
  if (missing.length === 0) return;
  throw new Error(`The CSV has no column ${missing.join(" and no column ")}; it has: ${columns.join(", ")}.`);
}

function toNumber(text) {
  const trimmed = text.trim();
  return NUMBER.test(trimmed) ? Number(trimmed.replaceAll(",", "")) : null;
}

function figuresOf(members) {
  const values = members.map(({ value }) => value);
  return { sum: utils.round(utils.sum(values)), average: utils.round(utils.avg(values)) };
}
