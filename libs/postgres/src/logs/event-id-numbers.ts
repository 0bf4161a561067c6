/** An event's id as PostgreSQL compares it, as an array of `bigint`: the attempt, then the number. */
export const numbersOf = (eventId: string): string => `{${eventId.replace("-", ",")}}`;
