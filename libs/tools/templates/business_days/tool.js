const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

export async function run({ from, days, holidays = [] }) {
  const closed = new Set(holidays);
  const step = days < 0 ? -1 : 1;
  // A day that doesn't count is left behind first, so that the first step is one from a working day.
  let day = workingDay(from, step, closed);
  for (let left = Math.abs(days); left > 0; left -= 1)
    day = workingDay(utils.dateAdd(day, step), step, closed);
  return {
    date: dateOf(day),
    weekday: WEEKDAYS[weekdayOf(day)],
    calendarDays: utils.dateDiff(from, dateOf(day)),
  };
}

/** The day itself if it counts, else the nearest in the direction of `step` that does. */
function workingDay(day, step, closed) {
  let at = day;
  while ([0, 6].includes(weekdayOf(at)) || closed.has(dateOf(at))) at = utils.dateAdd(at, step);
  return at;
}

// Dates are counted in UTC alone: in a time zone of the machine a day could have 23 or 25 hours.
const weekdayOf = (day) => new Date(day).getUTCDay();
const dateOf = (day) => new Date(day).toISOString().slice(0, 10);
