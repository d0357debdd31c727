/** Organizations, sites, devices, API keys and people. */
export const sql = `
CREATE TABLE organization (
  id text PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (name ~ '\\S' AND length(name) <= 255),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE site (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organization (id),
  name text NOT NULL CHECK (name ~ '\\S' AND length(name) <= 255),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, name),
  UNIQUE (organization_id, id)
);

CREATE TABLE device (
  id text PRIMARY KEY,
  organization_id text NOT NULL,
  site_id text NOT NULL,
  name text NOT NULL CHECK (name ~ '\\S' AND length(name) <= 255),
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (site_id, name),
  FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id)
);

CREATE TABLE technical_system (
  id text PRIMARY KEY,
  device_id text NOT NULL REFERENCES device (id) ON DELETE CASCADE,
  name text NOT NULL,
  document json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (device_id, name)
);

CREATE TABLE api_key (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organization (id),
  name text NOT NULL CHECK (name ~ '\\S' AND length(name) <= 255),
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  permissions text[] NOT NULL CHECK (
    cardinality(permissions) > 0 AND permissions <@ ARRAY['edge-device:read_write', 'ticket:read', 'ticket:read_write']
  ),
  all_sites boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  UNIQUE (organization_id, id)
);

CREATE TABLE api_key_site (
  api_key_id text NOT NULL,
  organization_id text NOT NULL,
  site_id text NOT NULL,
  PRIMARY KEY (api_key_id, site_id),
  FOREIGN KEY (organization_id, api_key_id) REFERENCES api_key (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id) ON DELETE CASCADE
);

CREATE TABLE user_account (
  id text PRIMARY KEY,
  email text NOT NULL CHECK (email = lower(email) AND length(email) <= 255),
  password_hash text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (email)
);

CREATE TABLE membership (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
  organization_id text NOT NULL REFERENCES organization (id),
  site_id text,
  role text NOT NULL CHECK (role IN ('admin', 'manager', 'viewer')),
  CHECK ((role = 'admin') = (site_id IS NULL)),
  UNIQUE NULLS NOT DISTINCT (user_id, organization_id, site_id),
  FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id) ON DELETE CASCADE
);

-- Every process caches keys and devices in memory and needs to learn about changes by others.
CREATE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('plantroom_change', TG_TABLE_NAME || ':' || COALESCE(NEW.id, OLD.id));
  RETURN NULL;
END
$$;

CREATE TRIGGER device_change AFTER INSERT OR UPDATE OR DELETE ON device
  FOR EACH ROW EXECUTE FUNCTION tell_change();
-- Without last_used_at, which would notify every process for every key every minute.
CREATE TRIGGER api_key_change AFTER INSERT OR DELETE OR UPDATE OF secret_hash, permissions, all_sites, revoked_at ON api_key
  FOR EACH ROW EXECUTE FUNCTION tell_change();
`
