const ORDERS = "https://shop.example.com/api/orders";

export async function run({ date = dayBefore(utils.now()), products = 5 }) {
  const [today, before] = await Promise.all([ordersOf(date), ordersOf(dayBefore(date))]);
  const turnover = turnoverOf(today);
  const report = {
    date,
    orders: today.length,
    turnover,
    changePercent: changeOf(turnover, turnoverOf(before)),
    best: bestOf(today, products),
  };
  // A model gets the figures, a person the text: where it goes (a channel, an e-mail) is the caller's matter.
  return utils.output({
    forLLM: report,
    forUser: { title: `Sales of ${date}`, markdown: toMarkdown(report) },
  });
}

async function ordersOf(date) {
  const { orders } = await api.rest({ url: `${ORDERS}?${new URLSearchParams({ date })}`, auth: "shop" });
  if (!Array.isArray(orders)) throw new Error(`The shop's answer for ${date} has no list of orders.`);
  return orders;
}

const dayBefore = (day) => utils.dateAdd(day, -1).slice(0, 10);

const turnoverOf = (orders) => utils.round(utils.sum(orders.map(({ total }) => total)));

/** Null where there is nothing to compare with. */
const changeOf = (now, before) => (before === 0 ? null : utils.round(((now - before) / before) * 100, 1));

function bestOf(orders, count) {
  const lines = orders.flatMap(({ items }) => items);
  return Object.entries(utils.groupBy(lines, "product"))
    .map(([product, sold]) => ({ product, sold: utils.sum(sold.map(({ quantity }) => quantity)) }))
    .toSorted((a, b) => b.sold - a.sold || a.product.localeCompare(b.product))
    .slice(0, count);
}

function toMarkdown({ date, orders, turnover, changePercent, best }) {
  const change = changePercent === null ? "" : ` (${changePercent > 0 ? "+" : ""}${changePercent} %)`;
  const rows = best.map(({ product, sold }) => `- ${product}: ${sold}`);
  return [`**${date}**: ${orders} orders, ${turnover.toFixed(2)}${change}`, ...rows].join("\n");
}
