/** Who did what in the cloud, and who started each job. */
export const sql = `
-- The last entry of each chain. A transaction locks it as the last thing that it does.
CREATE TABLE activity_head (
  -- The organization, or 'service' for what belongs to none.
  chain text PRIMARY KEY,
  seq bigint NOT NULL,
  -- The SHA-256 of the text of the last entry.
  hash text
);

CREATE TABLE activity (
  chain text NOT NULL,
  seq bigint NOT NULL,
  at timestamptz NOT NULL,
  -- The exact text, which hashes and signatures are about.
  entry text NOT NULL,
  key text NOT NULL,
  signature text NOT NULL,
  -- What can be filtered by. Generated, so that it cannot differ from the signed text.
  action text GENERATED ALWAYS AS (entry::jsonb ->> 'action') STORED,
  site_id text GENERATED ALWAYS AS (entry::jsonb ->> 'siteId') STORED,
  actor_id text GENERATED ALWAYS AS (entry::jsonb -> 'actor' ->> 'id') STORED,
  subject_id text GENERATED ALWAYS AS (entry::jsonb -> 'subject' ->> 'id') STORED,
  PRIMARY KEY (chain, seq)
);
CREATE INDEX activity_actor ON activity (chain, actor_id, seq);
CREATE INDEX activity_subject ON activity (chain, subject_id, seq);
CREATE INDEX activity_action ON activity (chain, action, seq);
CREATE INDEX activity_at ON activity (chain, at);

CREATE FUNCTION refuse_to_change_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the activity log is append-only: no entry can be changed or removed';
END
$$;
CREATE TRIGGER activity_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON activity
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_activity();

-- How far a sink got in each chain.
CREATE TABLE activity_sink (
  sink text PRIMARY KEY
);
CREATE TABLE activity_sent (
  sink text NOT NULL REFERENCES activity_sink (sink) ON DELETE CASCADE,
  chain text NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (sink, chain)
);

-- {"kind", "id", "name"} of the caller.
ALTER TABLE job ADD COLUMN started_by jsonb;
UPDATE job SET started_by = jsonb_build_object('kind', 'key', 'id', api_key.id, 'name', api_key.name)
  FROM api_key WHERE api_key.id = job.key_id;
`
