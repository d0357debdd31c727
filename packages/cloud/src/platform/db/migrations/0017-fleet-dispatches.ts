/**
 * Fleet dispatches: one setpoint for many controllers, with one durable outcome for each datapoint; and a list of writable
 * datapoints, by which they are selected.
 */
export const sql = `
CREATE TABLE fleet_dispatch (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  organization_id text NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  -- The sites of its targets, and how many there are.
  site_ids text[] NOT NULL,
  targets integer NOT NULL,
  -- The key, or 'user:' and the person, with the name at that time.
  placed_by text NOT NULL,
  placed_by_name text NOT NULL,
  idempotency_key text NOT NULL,
  -- SHA-256 of what was asked, to recognise a repeated request.
  request_hash text NOT NULL,
  value double precision,
  total_kw double precision,
  stagger_seconds integer NOT NULL,
  reason text,
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  deadline timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'completed', 'cancelled')),
  ended_at timestamptz CHECK ((ended_at IS NULL) = (state = 'running')),
  cancelled_by text,
  cancelled_by_name text,
  CHECK ((value IS NULL) <> (total_kw IS NULL)),
  UNIQUE (organization_id, placed_by, idempotency_key)
);
CREATE INDEX fleet_dispatch_organization ON fleet_dispatch (organization_id, seq);
CREATE INDEX fleet_dispatch_running ON fleet_dispatch (deadline) WHERE state = 'running';
CREATE INDEX fleet_dispatch_end ON fleet_dispatch (organization_id, to_at);

-- One datapoint of a dispatch. It outlives its device, as the audit does.
CREATE TABLE fleet_target (
  dispatch_id text NOT NULL REFERENCES fleet_dispatch (id) ON DELETE CASCADE,
  position integer NOT NULL,
  device_id text NOT NULL,
  site_id text NOT NULL,
  datapoint_id text NOT NULL,
  value double precision NOT NULL,
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  outcome text NOT NULL DEFAULT 'pending'
    CHECK (outcome IN ('pending', 'accepted', 'refused', 'offline', 'expired', 'cancelled')),
  override_id text,
  reason text,
  settled_at timestamptz CHECK ((settled_at IS NULL) = (outcome = 'pending')),
  -- Whether the controller has released what it may hold although the outcome is not 'accepted'.
  release text CHECK (release IN ('pending', 'confirmed', 'unconfirmed')),
  -- What is still to do, when to do it, and until when one process has it to itself.
  task text DEFAULT 'place' CHECK (task IN ('place', 'release')),
  due_at timestamptz NOT NULL,
  leased_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  -- Until when a command that was sent, and not answered, can still take effect. NULL when there is none.
  sent_until timestamptz,
  PRIMARY KEY (dispatch_id, position),
  CHECK ((task IS NOT DISTINCT FROM 'place') = (outcome = 'pending')),
  CHECK ((task IS NOT DISTINCT FROM 'release') = (release IS NOT DISTINCT FROM 'pending'))
);
CREATE INDEX fleet_target_due ON fleet_target (due_at, device_id) WHERE task IS NOT NULL;
CREATE INDEX fleet_target_device ON fleet_target (device_id) WHERE task IS NOT NULL;
CREATE INDEX fleet_target_release ON fleet_target (to_at) WHERE task = 'release';
CREATE INDEX fleet_target_outcome ON fleet_target (dispatch_id, outcome);

-- The writable datapoints of all commissioned systems, to select them without reading the documents. Registers of
-- failsafes are not among them: only the failsafe may write them.
CREATE TABLE writable_datapoint (
  technical_system_id text NOT NULL REFERENCES technical_system (id) ON DELETE CASCADE,
  id text NOT NULL,
  device_id text NOT NULL,
  name text NOT NULL,
  unit text,
  min double precision,
  max double precision,
  tags text[] NOT NULL,
  PRIMARY KEY (technical_system_id, id)
);
CREATE INDEX writable_datapoint_device ON writable_datapoint (device_id);
CREATE INDEX writable_datapoint_id ON writable_datapoint (id);
CREATE INDEX writable_datapoint_tags ON writable_datapoint USING gin (tags);

CREATE FUNCTION list_writable_datapoints(system technical_system) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM writable_datapoint WHERE technical_system_id = system.id;
  INSERT INTO writable_datapoint (technical_system_id, id, device_id, name, unit, min, max, tags)
  SELECT system.id, point->>'id', system.device_id, point->>'name', point->>'unit',
    (point->'writeInputData'->>'min')::double precision, (point->'writeInputData'->>'max')::double precision,
    ARRAY(SELECT json_array_elements_text(point->'tags'))
  FROM json_array_elements(system.document->'connections') AS connection
  CROSS JOIN LATERAL json_array_elements(connection->'datapoints') AS point
  WHERE point->>'accessType' <> 'READ' AND point->>'id' NOT IN (
    SELECT failsafe->>'registerId' FROM json_array_elements(system.document->'failsafes') AS failsafe
  );
EXCEPTION WHEN OTHERS THEN
  -- A document of an earlier version that cannot be read: its datapoints are not for fleet dispatches.
  RAISE WARNING 'the writable datapoints of technical system % are not listed: %', system.id, SQLERRM;
END $$;

-- By the database, so that processes of an earlier version keep the list too.
CREATE FUNCTION list_changed_datapoints() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM list_writable_datapoints(NEW);
  RETURN NULL;
END $$;
CREATE TRIGGER technical_system_datapoints AFTER INSERT OR UPDATE OF document ON technical_system
  FOR EACH ROW EXECUTE FUNCTION list_changed_datapoints();

SELECT list_writable_datapoints(technical_system) FROM technical_system;
`
