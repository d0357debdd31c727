import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createPlainDatabase } from '../../../testing/database.ts'
import { openDatabase } from '../database.ts'
import { migrate } from '../migrate.ts'

test('placements, releases and replacements that wait are carried over, with their leases and what was sent', async () => {
  const db = openDatabase({ connectionString: await createPlainDatabase() }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  await migrate(db, '0045-target-tests')
  const at = (hour: number) => `'2030-01-01T0${hour}:00:00Z'`
  const target = (position: number, device: string, outcome: string, release: string, task: string) =>
    `('dsp', ${position}, '${device}', 'site', 'dp', 1, ${at(1)}, ${at(5)}, '${outcome}', ${release}, ${task}, ${at(2)}, ${at(3)}, 4,
      ${at(4)}, CASE WHEN '${outcome}' <> 'pending' THEN ${at(2)}::timestamptz END)`
  await sql
    .raw(`
    INSERT INTO organization (id, name) VALUES ('org', 'Organization');
    INSERT INTO site (id, organization_id, name) VALUES ('site', 'org', 'Site');
    INSERT INTO device (id, organization_id, site_id, name, secret_hash) VALUES
      ('dev', 'org', 'site', 'Device', decode(repeat('00', 32), 'hex'));
    INSERT INTO fleet_dispatch (id, organization_id, site_ids, targets, placed_by, placed_by_name, idempotency_key,
      request_hash, value, stagger_seconds, from_at, to_at, deadline, created_at)
    VALUES ('dsp', 'org', '{site}', 4, 'key', 'Key', 'i', 'h', 1, 0, ${at(1)}, ${at(5)}, ${at(4)}, ${at(1)});
    INSERT INTO fleet_target (dispatch_id, position, device_id, site_id, datapoint_id, value, from_at, to_at, outcome,
      release, task, due_at, leased_until, attempts, sent_until, settled_at)
    VALUES ${target(0, 'dev', 'pending', 'NULL', "'place'")}, ${target(1, 'dev', 'cancelled', "'pending'", "'release'")},
      ${target(2, 'dev', 'accepted', 'NULL', 'NULL')}, ${target(3, 'removed', 'pending', 'NULL', "'place'")};
    INSERT INTO override_release (device_id, placed_by, override_id, requested_at, due_at, confirmed) VALUES
      ('dev', 'key', '', ${at(1)}, ${at(2)}, true), ('dev', '', 'ovr', ${at(1)}, ${at(1)}, false);
    INSERT INTO device_replacement (device_id, id, requested_at, requested_by, due_at, problem) VALUES
      ('dev', 'rpl', ${at(1)}, '{}', ${at(2)}, 'it is not empty')`)
    .execute(db)
  await migrate(db)
  const hour = (date: Date | null) => date?.getUTCHours() ?? null
  const tasks = await db.selectFrom('device_task').selectAll().orderBy('kind').orderBy('subject').execute()
  expect(
    tasks.map((row) => [
      row.device_id,
      row.organization_id,
      row.kind,
      row.subject,
      hour(row.due_at),
      hour(row.ends_at),
      row.attempts,
    ]),
  ).toEqual([
    ['dev', 'org', 'fleet-place', 'dsp/0', 2, 4, 4],
    ['dev', 'org', 'fleet-release', 'dsp/1', 2, 5, 4],
    ['dev', 'org', 'override-release', '/ovr', 1, null, 1],
    ['dev', 'org', 'override-release', 'key/', 2, null, 0],
    ['dev', 'org', 'replacement', '', 2, null, 1],
  ])
  expect(tasks.map((row) => [hour(row.leased_until), hour(row.sent_until)]).slice(0, 3)).toEqual([
    [3, 4],
    [3, 4],
    [null, null],
  ])
  // What a release must wait for stays with its target.
  const targets = await db.selectFrom('fleet_target').select(['release', 'sent_until']).orderBy('position').execute()
  expect(targets.map((row) => [row.release, hour(row.sent_until)])).toContainEqual(['pending', 4])
})
