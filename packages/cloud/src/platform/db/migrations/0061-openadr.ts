/** Programs of OpenADR: their events, what these placed, their reports, and checks of their connections. */
export const sql = `
CREATE TABLE openadr_program (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  name text NOT NULL,
  active boolean NOT NULL,
  -- What an administrator entered, beside the secret.
  settings jsonb NOT NULL,
  -- Sealed for the id.
  secret bytea NOT NULL,
  -- The last part of the address to which the VTN posts notifications.
  notify_token text NOT NULL UNIQUE,
  -- The sites that the mapping names.
  site_ids text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  due_at timestamptz NOT NULL DEFAULT now(),
  leased_until timestamptz,
  claim integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  -- When the VTN is asked next. The work may be due earlier, for what was placed.
  poll_at timestamptz NOT NULL DEFAULT now(),
  polled_at timestamptz,
  failing_since timestamptz,
  failures integer NOT NULL DEFAULT 0,
  problem text,
  -- What is known of the VTN: ids, resources, how it notifies, what it answered the last time.
  found jsonb NOT NULL DEFAULT '{}',
  -- Lets reports look again when what was placed or measured has changed.
  reported_until timestamptz,
  last_check jsonb,
  asked integer NOT NULL DEFAULT 0,
  asked_until timestamptz
);
CREATE INDEX openadr_program_organization ON openadr_program (organization_id, created_at);
CREATE INDEX openadr_program_work ON openadr_program (organization_id, due_at) WHERE active;
CREATE FUNCTION tell_openadr_program() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('plantroom_change', 'openadr_program:' || NEW.id);
  RETURN NULL;
END
$$;
-- Only what should not wait for the next look: a new program, a change of it, a notification of its VTN.
CREATE TRIGGER openadr_program_added AFTER INSERT ON openadr_program
  FOR EACH ROW EXECUTE FUNCTION tell_openadr_program();
CREATE TRIGGER openadr_program_sooner AFTER UPDATE OF due_at ON openadr_program
  FOR EACH ROW WHEN (NEW.due_at < OLD.due_at) EXECUTE FUNCTION tell_openadr_program();

CREATE TABLE openadr_event (
  id text PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  program_id text NOT NULL REFERENCES openadr_program (id) ON DELETE CASCADE,
  -- At the VTN.
  vtn_id text NOT NULL,
  version text NOT NULL,
  -- The event as it was read, with what is remembered about it.
  known jsonb NOT NULL,
  starts_at timestamptz,
  ends_at timestamptz,
  first_seen_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  deleted_at timestamptz,
  -- What is not acted on, and why.
  notes jsonb NOT NULL DEFAULT '[]',
  resources text[] NOT NULL DEFAULT '{}',
  UNIQUE (program_id, vtn_id)
);
CREATE INDEX openadr_event_list ON openadr_event (program_id, position);

CREATE TABLE openadr_placement (
  id text PRIMARY KEY,
  program_id text NOT NULL REFERENCES openadr_program (id) ON DELETE CASCADE,
  -- NULL for a fallback while the VTN is silent.
  event_id text REFERENCES openadr_event (id) ON DELETE CASCADE,
  key text NOT NULL,
  interval_id integer,
  resource_name text NOT NULL,
  payload text NOT NULL,
  -- As in fleet_dispatch.
  kind text NOT NULL CHECK (kind IN ('setpoint', 'limit')),
  site_id text,
  datapoint_id text,
  direction text,
  averaging_seconds integer,
  value double precision NOT NULL,
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  -- NULL when it could not be placed; reason says why.
  dispatch_id text,
  attempt integer NOT NULL DEFAULT 1,
  reason text,
  -- Released when the dispatch that replaces it is over.
  replaced_by text,
  -- No longer wanted.
  ended_at timestamptz
);
CREATE UNIQUE INDEX openadr_placement_open ON openadr_placement (program_id, key) WHERE ended_at IS NULL;
CREATE INDEX openadr_placement_event ON openadr_placement (event_id, from_at);
CREATE INDEX openadr_placement_replaced ON openadr_placement (replaced_by) WHERE replaced_by IS NOT NULL;

CREATE TABLE openadr_report (
  id text PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  program_id text NOT NULL REFERENCES openadr_program (id) ON DELETE CASCADE,
  organization_id text NOT NULL,
  event_id text REFERENCES openadr_event (id) ON DELETE CASCADE,
  -- Derived from what it is about: each report is there once.
  key text NOT NULL,
  -- Says what to send; the content is made when it is sent for the first time, and then stays.
  due jsonb NOT NULL,
  body jsonb,
  payloads text[] NOT NULL,
  resources text[] NOT NULL,
  from_at timestamptz,
  to_at timestamptz,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'refused')),
  -- A POST may have arrived: the VTN is asked before it is sent again.
  posted boolean NOT NULL DEFAULT false,
  should_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  leased_until timestamptz,
  claim integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  sent_at timestamptz,
  status integer,
  answer text,
  error text,
  UNIQUE (program_id, key)
);
CREATE INDEX openadr_report_work ON openadr_report (organization_id, due_at) WHERE state = 'waiting';
CREATE INDEX openadr_report_leased ON openadr_report (program_id) WHERE leased_until IS NOT NULL;
CREATE INDEX openadr_report_list ON openadr_report (program_id, position);

CREATE TABLE openadr_check (
  id text PRIMARY KEY,
  program_id text NOT NULL REFERENCES openadr_program (id) ON DELETE CASCADE,
  organization_id text NOT NULL,
  due_at timestamptz NOT NULL,
  leased_until timestamptz,
  claim integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  outcome jsonb
);
CREATE INDEX openadr_check_work ON openadr_check (organization_id, due_at) WHERE outcome IS NULL;

-- Workers add tasks for controllers, too: cloud processes look for them when one is announced.
CREATE FUNCTION tell_openadr_dispatch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('plantroom_change', 'openadr_placement:');
  RETURN NULL;
END
$$;
CREATE TRIGGER openadr_placement_changed AFTER INSERT OR UPDATE ON openadr_placement
  FOR EACH STATEMENT EXECUTE FUNCTION tell_openadr_dispatch();

-- What a program placed has an outcome: its worker releases what that replaces, and reports it.
CREATE FUNCTION tell_openadr_outcome() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('plantroom_change', 'openadr_outcome:' || substr(NEW.placed_by, 9));
  RETURN NULL;
END
$$;
CREATE TRIGGER fleet_dispatch_openadr AFTER UPDATE OF state ON fleet_dispatch
  FOR EACH ROW WHEN (NEW.state <> OLD.state AND starts_with(NEW.placed_by, 'program:'))
  EXECUTE FUNCTION tell_openadr_outcome();
`
