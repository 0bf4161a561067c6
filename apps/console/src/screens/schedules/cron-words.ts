const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const DAY_NAMES = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const MONTH_NAMES = MONTHS.map((month) => month.slice(0, 3).toLowerCase());
const NTH = ["first", "second", "third", "fourth", "fifth"];
/** More times of a day than these are no easier to read than the pattern. */
const TIMES_MAX = 4;

/** A cron pattern as people say it, such as "every weekday at 09:00"; null where it has no short words. */
export function cronWords(cron: string): string | null {
  const fields = cron.trim().toLowerCase().split(/\s+/);
  if (fields.length === 6) {
    const [second = "", ...rest] = fields;
    const step = stepOf(second, 60);
    if (step !== null && rest.every(isAny)) return often(step, "second");
    if (second !== "0") return null;
    return cronWords(rest.join(" "));
  }
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields;
  if (fields.length !== 5) return null;
  const when = timeWords(minute, hour);
  const on = dayWords(day, month, weekday);
  if (when === null || on === null) return null;
  if (!when.isAgainAndAgain) return `${on} ${when.words}`;
  return on === "every day" ? when.words : `${when.words}, ${on}`;
}

const isAny = (field: string): boolean => field === "*" || field === "?";

/** Steps from the beginning on, which are as far apart at the end; one for `*`. */
function stepOf(field: string, count: number): number | null {
  if (field === "*") return 1;
  const step = Number(/^\*\/(\d+)$/.exec(field)?.[1]);
  return step > 0 && count % step === 0 ? step : null;
}

const often = (step: number, unit: string): string =>
  step === 1 ? `every ${unit}` : `every ${step} ${unit}s`;

/** The values that a list, a range or a single one names; null for anything else. */
function valuesOf(field: string, names: readonly string[] = [], max = 59): number[] | null {
  const valueOf = (text: string): number => {
    const place = names.indexOf(text);
    return place >= 0 ? place : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  };
  const values = field.split(",").flatMap((item) => {
    const [from = "", to = from, ...more] = item.split("-");
    const [first, last] = [valueOf(from), valueOf(to)];
    if (more.length > 0 || !(first <= last && last <= max)) return [Number.NaN];
    return Array.from({ length: last - first + 1 }, (_, place) => first + place);
  });
  return values.some(Number.isNaN) ? null : [...new Set(values)].sort((one, two) => one - two);
}

const clock = (hour: number, minute: number): string =>
  `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

function timeWords(minute: string, hour: string): { words: string; isAgainAndAgain: boolean } | null {
  const again = (words: string) => ({ words, isAgainAndAgain: true });
  const minuteStep = stepOf(minute, 60);
  const range = /^(\d+)-(\d+)$/.exec(hour);
  const [from, to] = [Number(range?.[1]), Number(range?.[2])];
  if (minuteStep !== null) {
    const words = often(minuteStep, "minute");
    if (hour === "*") return again(words);
    if (range !== null && from <= to && to < 24)
      return again(`${words} from ${clock(from, 0)} to ${clock(to, 60 - minuteStep)}`);
    return null;
  }
  const minutes = valuesOf(minute);
  const at = minutes?.[0];
  if (minutes === null || at === undefined || minutes.length > 1) return null;
  const hourStep = stepOf(hour, 24);
  const past = at === 0 ? "" : ` at ${at === 1 ? "1 minute" : `${at} minutes`} past`;
  if (hourStep !== null) return again(`${often(hourStep, "hour")}${past}`);
  if (range !== null && from < to && to < 24)
    return again(`every hour from ${clock(from, at)} to ${clock(to, at)}`);
  const hours = valuesOf(hour, [], 23);
  if (hours === null || hours.length > TIMES_MAX) return null;
  return { words: `at ${listed(hours.map((one) => clock(one, at)))}`, isAgainAndAgain: false };
}

function dayWords(day: string, month: string, weekday: string): string | null {
  if (!isAny(month)) {
    const [days, months] = [valuesOf(day, [], 31), valuesOf(monthNumbers(month), [], 12)];
    const [first, name] = [days?.[0], MONTHS[(months?.[0] ?? 0) - 1]];
    const isOne = days?.length === 1 && months?.length === 1 && isAny(weekday);
    return isOne && name !== undefined ? `every year on ${first} ${name}` : null;
  }
  if (isAny(day)) return isAny(weekday) ? "every day" : weekdayWords(weekday);
  if (!isAny(weekday)) return null;
  if (day === "l") return "on the last day of every month";
  const days = valuesOf(day, [], 31);
  return days === null || days.length > TIMES_MAX || days.includes(0)
    ? null
    : `on the ${listed(days.map(ordinal))} of every month`;
}

const monthNumbers = (field: string): string =>
  field.replaceAll(/[a-z]{3}/g, (name) => String(MONTH_NAMES.indexOf(name) + 1));

function ordinal(value: number): string {
  const ending = value > 10 && value < 14 ? undefined : ["st", "nd", "rd"][(value % 10) - 1];
  return `${value}${ending ?? "th"}`;
}

function weekdayWords(field: string): string | null {
  const [, one = "", nth] = /^(\w+)(?:#([1-5])|l)$/.exec(field) ?? [];
  if (one !== "") {
    const name = DAYS[(valuesOf(one, DAY_NAMES, 7)?.[0] ?? Number.NaN) % 7];
    const place = nth === undefined ? "last" : NTH[Number(nth) - 1];
    return name === undefined ? null : `on the ${place} ${name} of every month`;
  }
  const values = valuesOf(field, DAY_NAMES, 7);
  if (values === null) return null;
  // The week begins on Monday: Sunday, which is 0 or 7, ends it.
  const days = [...new Set(values.map((value) => value || 7))].sort((first, second) => first - second);
  const text = days.join("");
  if (text === "1234567") return "every day";
  if (text === "12345") return "every weekday";
  if (text === "67") return "every Saturday and Sunday";
  return `every ${listed(days.map((value) => DAYS[value % 7] ?? ""))}`;
}
