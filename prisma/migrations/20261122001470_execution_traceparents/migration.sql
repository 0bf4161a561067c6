-- Where in a distributed trace an execution's attempts and callbacks belong; null where nobody recorded its acceptance.
ALTER TABLE "executions" ADD COLUMN "traceparent" TEXT;
