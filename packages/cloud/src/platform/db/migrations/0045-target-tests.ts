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
  due_at timestamptz NOT NULL,
  leased_until timestamptz,
  claim integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  outcome jsonb
);
CREATE INDEX automatic_export_asked_work ON automatic_export_asked (organization_id, due_at) WHERE outcome IS NULL;
`
