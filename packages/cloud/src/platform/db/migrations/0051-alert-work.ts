/** What people do about alerts. */
export const sql = `
ALTER TABLE alert
  ADD COLUMN acknowledged_at timestamptz,
  ADD COLUMN acknowledged_by text,
  ADD COLUMN assignee text,
  ADD COLUMN snoozed_until timestamptz,
  ADD COLUMN request_number integer;

CREATE TABLE alert_step (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert_id text NOT NULL REFERENCES alert (id) ON DELETE CASCADE,
  at timestamptz NOT NULL,
  by_name text NOT NULL,
  step text NOT NULL,
  text text
);
CREATE INDEX alert_step_alert ON alert_step (alert_id, position);
`
