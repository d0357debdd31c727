/** What is to be deleted at VTNs after a program was removed or paused, or has another VTN. */
export const sql = `
-- The resources that we made at the VTN, by their ids there. Those that it had before are not ours to delete.
ALTER TABLE openadr_program ADD COLUMN made_resources text[] NOT NULL DEFAULT '{}';

CREATE TABLE openadr_cleanup (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  -- Of a program that may be gone.
  program_id text NOT NULL,
  program_name text NOT NULL,
  -- How the VTN is reached, beside the secret.
  settings jsonb NOT NULL,
  -- Sealed for the program.
  secret bytea NOT NULL,
  notify_token text NOT NULL,
  -- Ids at the VTN.
  ven_id text,
  subscriptions text[] NOT NULL,
  resources text[] NOT NULL,
  created_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  leased_until timestamptz,
  claim integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0
);
CREATE INDEX openadr_cleanup_work ON openadr_cleanup (organization_id, due_at);
`
