import { z } from "zod";

export const executionId = z.string().min(1).max(64);
/** Counts a run's requests from 1. */
export const requestId = z.int().min(1).max(1_000_000_000);
