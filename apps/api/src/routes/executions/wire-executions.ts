import type { ExecutionKey } from "@bulkhead/core";
import {
  cancelExecution,
  deleteExecution,
  BatchYield,
  readCallback,
  readPayload,
  rehearseVersion,
  countReplayable,
  replayExecution,
  replayMatching,
  submitBatch,
  submitDryRun,
  waitForEnd,
  type DeleteExecutionDeps,
  type EndDeps,
  type ReadPayloadDeps,
  type RehearseDeps,
  type ReplayDeps,
} from "@bulkhead/executions";
import { EXECUTION_STREAMS_MAX, StreamSlots } from "../../edge/stream-slots.ts";
import { given } from "../../given.ts";
import { answerExecution, answerSync, streamExecution, type AnswerDeps } from "./answer-execution.ts";
import { submitCall, type SubmitCallDeps } from "./submission.ts";

type ExecutionPorts = SubmitCallDeps &
  Omit<ReplayDeps, "batchYield"> &
  RehearseDeps &
  EndDeps &
  DeleteExecutionDeps &
  ReadPayloadDeps &
  Pick<AnswerDeps, "stream" | "signals" | "stopping">;

/** Gives the use cases of executions their ports. One `batchYield` and one count of open streams hold for the whole process. */
export function wireExecutions(ports: ExecutionPorts) {
  const { executions, stream, signals, stopping } = ports;
  const batchYield = new BatchYield();
  const submitting = { ...ports, batchYield };
  const answering = {
    ...given(ports, { waitForEnd }),
    findExecution: (key: ExecutionKey) => executions.find(key),
    executionStreams: new StreamSlots(EXECUTION_STREAMS_MAX),
    batchYield,
    stream,
    signals,
    stopping,
  };
  return {
    batchYield,
    ...given(submitting, {
      submitCall,
      submitDryRun,
      submitBatch,
      countReplayable,
      replayExecution,
      replayMatching,
    }),
    ...given(ports, {
      readCallback,
      readPayload,
      rehearseVersion,
      cancelExecution,
      deleteExecution,
      waitForEnd,
    }),
    ...given(answering, { answerExecution, answerSync, streamExecution }),
  };
}

export type Calls = ReturnType<typeof wireExecutions>;
