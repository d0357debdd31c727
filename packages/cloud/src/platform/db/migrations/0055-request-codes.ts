/** Codes on walls and machines, which lead to a form for people without an account. */
export const sql = `
CREATE TABLE request_code (
  id text PRIMARY KEY,
  token text NOT NULL UNIQUE,
  site_id text NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  unit_id text REFERENCES unit (id) ON DELETE SET NULL,
  label text NOT NULL,
  created_at timestamptz NOT NULL,
  hour_began_at timestamptz NOT NULL,
  sent_in_hour integer NOT NULL DEFAULT 0
);
CREATE INDEX request_code_site ON request_code (site_id, created_at);
CREATE INDEX request_code_unit ON request_code (unit_id);
`
