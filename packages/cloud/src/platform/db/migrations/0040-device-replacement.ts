/** Controllers whose hardware is replaced, and cancels that the last state of a controller may not contain yet. */
export const sql = `
CREATE TABLE device_replacement (
  device_id text PRIMARY KEY REFERENCES device (id) ON DELETE CASCADE,
  id text NOT NULL,
  requested_at timestamptz NOT NULL,
  requested_by jsonb NOT NULL,
  -- The last state of the old controller. The first message of the new one replaces it in device_state.
  state jsonb,
  state_at timestamptz,
  -- When to send to the new controller at the earliest; null when it has everything.
  due_at timestamptz,
  finished_at timestamptz,
  outcome text,
  problem text
);
CREATE INDEX device_replacement_due ON device_replacement (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE override_cancelled (
  device_id text NOT NULL REFERENCES device (id) ON DELETE CASCADE,
  override_id text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (device_id, override_id)
);
`
