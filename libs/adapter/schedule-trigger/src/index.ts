export { openScheduleConsumer, type ScheduleConsumer } from "./schedule-consumer.ts";
export { openScheduleTriggers } from "./schedule-triggers.ts";
