/** Alerts, what they are decided from, and the webhooks that are told. */
export const sql = `
CREATE TABLE webhook (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  url text NOT NULL,
  types text[] NOT NULL,
  -- Null for all events, including those that belong to no site.
  site_ids text[],
  -- Encrypted with a key that is not in the database.
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz,
  -- Null when a person disabled it.
  disabled_reason text,
  failing_since timestamptz,
  -- Tests and repeated deliveries in the hour that ends at asked_until.
  asked integer NOT NULL DEFAULT 0,
  asked_until timestamptz
);
CREATE INDEX webhook_organization ON webhook (organization_id);

CREATE TABLE webhook_event (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  site_id text,
  type text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  -- The exact text: every attempt sends the same.
  data text NOT NULL
);
CREATE INDEX webhook_event_at ON webhook_event (at);

CREATE TABLE webhook_delivery (
  id text PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  event_id text NOT NULL REFERENCES webhook_event (id) ON DELETE CASCADE,
  webhook_id text NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  -- Grows with every claim, so that a sender that lost its claim records nothing.
  claim integer NOT NULL DEFAULT 0,
  -- While a worker sends it: when its claim ends.
  due_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  last_attempt_at timestamptz,
  status integer,
  response text,
  error text
);
CREATE INDEX webhook_delivery_due ON webhook_delivery (due_at) WHERE state = 'waiting';
CREATE INDEX webhook_delivery_log ON webhook_delivery (webhook_id, position);
CREATE INDEX webhook_delivery_event ON webhook_delivery (event_id);

CREATE TABLE alert (
  id text PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  organization_id text NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  site_id text NOT NULL,
  -- Without a reference: the alert outlives the device.
  device_id text,
  device_name text,
  kind text NOT NULL,
  subject_kind text NOT NULL,
  subject_id text NOT NULL,
  subject_name text NOT NULL,
  details jsonb NOT NULL,
  began_at timestamptz NOT NULL,
  opened_at timestamptz NOT NULL,
  -- Since when the trouble is over, while the delay before the end runs.
  clear_since timestamptz,
  closed_at timestamptz,
  told_open boolean NOT NULL DEFAULT false,
  told_close boolean NOT NULL DEFAULT false
);
-- One alert for one trouble, also when two processes decide at the same time.
CREATE UNIQUE INDEX alert_open ON alert (kind, coalesce(device_id, ''), subject_id) WHERE closed_at IS NULL;
CREATE INDEX alert_list ON alert (organization_id, position);
CREATE INDEX alert_device ON alert (device_id, opened_at);
CREATE INDEX alert_untold ON alert (organization_id) WHERE NOT told_open OR (closed_at IS NOT NULL AND NOT told_close);
CREATE INDEX alert_closed ON alert (closed_at) WHERE closed_at IS NOT NULL;

CREATE TABLE alert_rules (
  organization_id text PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
  document jsonb NOT NULL
);

-- When an organization was last told by mail, and how many mails that was in the present hour.
CREATE TABLE alert_mail (
  organization_id text PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
  told_at timestamptz NOT NULL,
  hour_ends_at timestamptz NOT NULL,
  mails integer NOT NULL
);

-- The process that decides about alerts, and until when; checked_at is when it last looked at which devices are online.
CREATE TABLE alert_evaluator (
  id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  holder text,
  until timestamptz NOT NULL,
  checked_at timestamptz
);
INSERT INTO alert_evaluator (until) VALUES ('-infinity');

-- Written when a device comes or goes. A device without a row was never seen.
CREATE TABLE device_presence (
  device_id text PRIMARY KEY REFERENCES device (id) ON DELETE CASCADE,
  online boolean NOT NULL,
  -- Since when it is online, or when it was last seen.
  since timestamptz NOT NULL
);

CREATE TABLE device_health (
  device_id text PRIMARY KEY REFERENCES device (id) ON DELETE CASCADE,
  received_at timestamptz NOT NULL,
  document jsonb NOT NULL,
  has_trouble boolean NOT NULL
);
CREATE INDEX device_health_trouble ON device_health (device_id) WHERE has_trouble;

-- When a device last sent measurements, to the minute.
CREATE TABLE device_measured (
  device_id text PRIMARY KEY REFERENCES device (id) ON DELETE CASCADE,
  at timestamptz NOT NULL
);
`
