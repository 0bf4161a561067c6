-- What is exported and deleted with its tenant is found by the tenant, page by page.
CREATE INDEX "execution_attempts_tenant_id_execution_id_attempt_idx"
    ON "execution_attempts"("tenant_id", "execution_id", "attempt");
CREATE INDEX "deliveries_tenant_id_execution_id_n_idx" ON "deliveries"("tenant_id", "execution_id", "n");
