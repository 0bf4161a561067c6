-- The body of a function that says whether a person is asked about a call of this version. NULL: there is none.
ALTER TABLE "tool_versions" ADD COLUMN "approval_code" TEXT;

-- Whether that code is to be asked once the execution has its turn.
ALTER TABLE "executions" ADD COLUMN "tool_decides" BOOLEAN NOT NULL DEFAULT false;

-- A try in which that code was asked, and nothing else ran.
ALTER TABLE "execution_attempts" DROP CONSTRAINT "execution_attempts_outcome_check",
    ADD CONSTRAINT "execution_attempts_outcome_check" CHECK ("outcome" IN ('failed', 'handed_back', 'lost', 'asked'));
