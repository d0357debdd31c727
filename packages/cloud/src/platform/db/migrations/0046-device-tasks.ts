/** One queue of what must reach a controller, in place of columns in three tables. What waits in them is carried over. */
export const sql = `
CREATE TABLE device_task (
  device_id text NOT NULL REFERENCES device (id) ON DELETE CASCADE,
  kind text NOT NULL,
  -- What it is about, in the words of its kind. The table of the kind has the rest.
  subject text NOT NULL,
  organization_id text NOT NULL,
  -- When to send it, or to send it again.
  due_at timestamptz NOT NULL,
  -- Nothing is sent later.
  ends_at timestamptz,
  -- Until when one process has it to itself.
  leased_until timestamptz,
  -- Grows with each lease, and when the task is asked for again: results of an older one do not count.
  claim integer NOT NULL DEFAULT 0,
  -- Since the last success.
  attempts integer NOT NULL DEFAULT 0,
  -- Until when a command that was sent, and not answered, can still take effect. NULL when there is none.
  sent_until timestamptz,
  PRIMARY KEY (device_id, kind, subject)
);
CREATE INDEX device_task_due ON device_task (due_at);

INSERT INTO device_task (device_id, kind, subject, organization_id, due_at, ends_at, leased_until, attempts, sent_until)
SELECT target.device_id, 'fleet-' || target.task, target.dispatch_id || '/' || target.position, device.organization_id,
  target.due_at, CASE target.task WHEN 'place' THEN dispatch.deadline ELSE target.to_at END, target.leased_until,
  target.attempts, target.sent_until
FROM fleet_target AS target
JOIN fleet_dispatch AS dispatch ON dispatch.id = target.dispatch_id
JOIN device ON device.id = target.device_id
WHERE target.task IS NOT NULL;
-- Also drops the checks and indexes on them. From now on, sent_until is that of a placement that has ended.
ALTER TABLE fleet_target DROP COLUMN task, DROP COLUMN due_at, DROP COLUMN leased_until, DROP COLUMN attempts;
CREATE INDEX fleet_target_release ON fleet_target (to_at) WHERE release = 'pending';

INSERT INTO device_task (device_id, kind, subject, organization_id, due_at, attempts)
SELECT device_id, 'override-release', placed_by || '/' || override_id, organization_id, due_at,
  CASE WHEN confirmed THEN 0 ELSE 1 END
FROM override_release JOIN device ON device.id = override_release.device_id;
ALTER TABLE override_release DROP COLUMN due_at;

INSERT INTO device_task (device_id, kind, subject, organization_id, due_at, attempts)
SELECT device_id, 'replacement', '', organization_id, due_at, CASE WHEN problem IS NULL THEN 0 ELSE 1 END
FROM device_replacement JOIN device ON device.id = device_replacement.device_id
WHERE due_at IS NOT NULL;
ALTER TABLE device_replacement DROP COLUMN due_at;
`
