import { newExecutionId } from "@bulkhead/core";
import { queryRows } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { sampleExecution, sampleTenant, sampleTool } from "../fixtures/samples.ts";
import { database, testDatabase, useTwoTenants } from "../fixtures/stores.ts";
import { migrate } from "../migrate.ts";

useTwoTenants();

const NAME = "20261127000100_retention";
/** The tables as they were before, as far as the migration looks at them. */
const UNDO = `
  DROP TRIGGER executions_enqueue_erasures ON executions;
  DROP FUNCTION enqueue_erasures;
  DROP TABLE due_erasures;
  ALTER TABLE executions DROP COLUMN retention, DROP COLUMN erased, DROP COLUMN erased_at;
  ALTER TABLE tools DROP COLUMN retention;
  DELETE FROM _prisma_migrations WHERE migration_name = '${NAME}'`;

test("what tools and tenants had said of logs alone stands, also for what is under way", async () => {
  const saying = async (days: number | null) => {
    const { id: tenantId } = await database.tenants.create(sampleTenant());
    const { id: toolId } = await database.tools.create(sampleTool(tenantId));
    const open = sampleExecution(tenantId, { toolId });
    const ofTenantAlone = sampleExecution(tenantId);
    await database.executions.insertBatch([open, ofTenantAlone]);
    const due = newExecutionId(new Date());
    return { days, tenantId, toolId, open, ofTenantAlone, due };
  };
  const [none, seven, nothing] = [await saying(0), await saying(7), await saying(null)];
  await testDatabase.execute(UNDO);
  for (const { days, tenantId, toolId, due } of [none, seven, nothing])
    await testDatabase.execute(`
      UPDATE tools SET log_retention_days = ${days && days + 1} WHERE id = '${toolId}';
      UPDATE tenants SET settings = settings - 'retention' || '{"logRetentionDays": ${days}}' WHERE id = '${tenantId}';
      INSERT INTO due_logs (execution_id, tenant_id) VALUES ('${due}', '${tenantId}')`);
  expect(await migrate(testDatabase.url)).toEqual([NAME]);

  const said = async ({ tenantId, toolId, open, ofTenantAlone, due }: typeof none) => {
    const [row] = await queryRows(
      testDatabase.url,
      `SELECT (SELECT retention FROM tools WHERE id = $1) AS tool, (SELECT settings->'retention' FROM tenants WHERE id = $2) AS settings,
        (SELECT settings ? 'logRetentionDays' FROM tenants WHERE id = $2) AS old,
        (SELECT retention FROM executions WHERE id = $3) AS open, (SELECT retention FROM executions WHERE id = $4) AS alone,
        (SELECT days FROM due_logs WHERE execution_id = $5) AS due`,
      [toolId, tenantId, open.executionId, ofTenantAlone.executionId, due],
    );
    return row;
  };
  const NONE = { events: "none" };
  expect(await said(none)).toEqual({
    tool: NONE,
    settings: NONE,
    open: NONE,
    alone: NONE,
    due: 0,
    old: false,
  });
  const [eight, days] = [{ events: 8 }, { events: 7 }];
  expect(await said(seven)).toEqual({
    tool: eight,
    settings: days,
    open: eight,
    alone: days,
    due: 7,
    old: false,
  });
  expect(await said(nothing)).toEqual({
    tool: null,
    settings: null,
    open: null,
    alone: null,
    due: null,
    old: false,
  });
});
