/** The life of API keys: expiry, rotation, last address; who placed which override; overrides to cancel on a revoke. */
export const sql = `
ALTER TABLE api_key DROP CONSTRAINT api_key_permissions_check;
ALTER TABLE api_key ADD CONSTRAINT api_key_permissions_check CHECK (
  cardinality(permissions) > 0
  AND permissions <@ ARRAY['edge-device:read', 'edge-device:read_write', 'ticket:read', 'ticket:read_write']
);
ALTER TABLE api_key ADD COLUMN expires_at timestamptz;
ALTER TABLE api_key ADD COLUMN rotated_at timestamptz;
-- The secret before the last rotation, and when it stops working.
ALTER TABLE api_key ADD COLUMN previous_hash bytea CHECK (octet_length(previous_hash) = 32);
ALTER TABLE api_key ADD COLUMN previous_until timestamptz;
ALTER TABLE api_key ADD CHECK ((previous_hash IS NULL) = (previous_until IS NULL));
ALTER TABLE api_key ADD COLUMN last_used_from text;

-- Without the last use, which would notify every process for every key every minute.
DROP TRIGGER api_key_change ON api_key;
CREATE TRIGGER api_key_change
  AFTER INSERT OR DELETE OR UPDATE OF
    secret_hash, previous_hash, previous_until, expires_at, permissions, all_sites, revoked_at
  ON api_key FOR EACH ROW EXECUTE FUNCTION tell_change();

-- Who placed an override, as the cloud relayed it. It outlives devices, like the audit.
CREATE TABLE override_owner (
  device_id text NOT NULL,
  override_id text NOT NULL,
  placed_by text NOT NULL,
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (device_id, override_id)
);
CREATE INDEX override_owner_placed_by ON override_owner (placed_by, ends_at);
-- Whether an override is over.
CREATE INDEX report_released ON report (device_id, override_id) WHERE phase = 'released';

-- Controllers that still have to cancel what a caller placed.
CREATE TABLE override_release (
  device_id text NOT NULL REFERENCES device (id) ON DELETE CASCADE,
  placed_by text NOT NULL,
  requested_at timestamptz NOT NULL,
  -- When to send it, or to send it again.
  due_at timestamptz NOT NULL,
  -- The controller has cancelled everything that it had. It is asked once more, for commands that were under way.
  confirmed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (device_id, placed_by)
);
CREATE INDEX override_release_due ON override_release (due_at);
CREATE INDEX override_release_placed_by ON override_release (placed_by);
`
