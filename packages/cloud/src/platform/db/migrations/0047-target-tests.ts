/** Tests of export targets, which a worker runs. */
export const sql = `
CREATE TABLE automatic_export_asked (
  id text PRIMARY KEY,
  organization_id text NOT NULL,
  site_id text NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  -- The secret is sealed for this id.
  target_id text NOT NULL,
  settings jsonb NOT NULL,
  secret bytea,
  asked_at timestamptz NOT NULL,
  -- A test runs once: a worker that dies leaves it without an outcome.
  claimed_at timestamptz,
  outcome jsonb
);
CREATE INDEX automatic_export_asked_waiting ON automatic_export_asked (asked_at) WHERE claimed_at IS NULL;
`
