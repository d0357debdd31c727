/** Exports of sites by a schedule, their runs, and the deliveries of their packages. */
export const sql = `
CREATE TABLE automatic_export (
  site_id text PRIMARY KEY REFERENCES site (id) ON DELETE CASCADE,
  organization_id text NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  enabled boolean NOT NULL,
  schedule jsonb NOT NULL,
  retention jsonb NOT NULL,
  -- The zone that next_at was computed with: a site can move.
  time_zone text NOT NULL,
  next_at timestamptz NOT NULL,
  -- The key that set it, which must still be valid when it runs; null for a person or the operator.
  key_id text,
  changed_at timestamptz NOT NULL
);
CREATE INDEX automatic_export_due ON automatic_export (next_at) WHERE enabled;

CREATE TABLE automatic_export_target (
  id text PRIMARY KEY,
  site_id text NOT NULL REFERENCES automatic_export (site_id) ON DELETE CASCADE,
  -- The order in which a person listed the targets.
  place integer NOT NULL,
  label text NOT NULL,
  settings jsonb NOT NULL,
  -- Encrypted with a key that is not in the database; null for a target that needs none.
  secret bytea,
  last_success_at timestamptz,
  failing_since timestamptz,
  last_error text,
  cleanup_error text
);
CREATE INDEX automatic_export_target_site ON automatic_export_target (site_id);

CREATE TABLE automatic_export_run (
  id text PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  organization_id text NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  site_id text NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  due_at timestamptz NOT NULL,
  -- Who started it by hand; null for the schedule.
  started_by jsonb,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'exporting', 'delivering', 'done', 'failed')),
  -- Exports tried so far, and when the next one starts.
  attempts integer NOT NULL DEFAULT 0,
  start_at timestamptz NOT NULL,
  job_id text,
  bytes bigint,
  tickets integer,
  error text,
  ended_at timestamptz
);
-- One run for one due time, whichever workers look at the same moment.
CREATE UNIQUE INDEX automatic_export_run_due ON automatic_export_run (site_id, due_at) WHERE started_by IS NULL;
CREATE INDEX automatic_export_run_list ON automatic_export_run (site_id, position);
CREATE INDEX automatic_export_run_open ON automatic_export_run (state, start_at) WHERE state IN ('waiting', 'exporting');
-- The sweeps of packages ask which exports are still to be delivered.
CREATE INDEX automatic_export_run_job ON automatic_export_run (job_id) WHERE state IN ('exporting', 'delivering');

CREATE TABLE automatic_export_delivery (
  run_id text NOT NULL REFERENCES automatic_export_run (id) ON DELETE CASCADE,
  -- Without a reference: the record of what was delivered outlives the target.
  target_id text NOT NULL,
  label text NOT NULL,
  filename text NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed', 'superseded')),
  attempts integer NOT NULL DEFAULT 0,
  -- Grows with every claim, so that a worker that lost its claim records nothing.
  claim integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  -- Until when a worker sends it; null while none does.
  leased_until timestamptz,
  delivered_at timestamptz,
  removed_at timestamptz,
  error text,
  PRIMARY KEY (run_id, target_id)
);
CREATE INDEX automatic_export_delivery_due ON automatic_export_delivery (due_at) WHERE state = 'waiting';
CREATE INDEX automatic_export_delivery_kept ON automatic_export_delivery (target_id, delivered_at)
  WHERE state = 'delivered' AND removed_at IS NULL;

-- Tests of targets in the hour that ends at asked_until.
CREATE TABLE automatic_export_test (
  site_id text PRIMARY KEY REFERENCES site (id) ON DELETE CASCADE,
  asked integer NOT NULL,
  asked_until timestamptz NOT NULL
);
`
