/** Uploads of packages in parts, which continue after a lost connection. */
export const sql = `
CREATE TABLE part_upload (
  id text PRIMARY KEY,
  organization_id text NOT NULL,
  site_id text NOT NULL,
  filename text NOT NULL,
  size bigint NOT NULL CHECK (size > 0),
  -- The file store's own name for it.
  store_id text NOT NULL,
  started_at timestamptz NOT NULL,
  -- When addresses of parts were last given out.
  used_at timestamptz NOT NULL,
  completed_at timestamptz,
  FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX part_upload_unfinished ON part_upload (site_id, filename) WHERE completed_at IS NULL;
CREATE INDEX part_upload_organization ON part_upload (organization_id) WHERE completed_at IS NULL;
CREATE INDEX part_upload_used ON part_upload (used_at);
CREATE INDEX part_upload_store ON part_upload (store_id);

-- What each part contains, as its first sender said: later ones must send the same.
CREATE TABLE part_upload_sum (
  upload_id text NOT NULL REFERENCES part_upload (id) ON DELETE CASCADE,
  number integer NOT NULL,
  sha256 bytea NOT NULL,
  PRIMARY KEY (upload_id, number)
);
`
