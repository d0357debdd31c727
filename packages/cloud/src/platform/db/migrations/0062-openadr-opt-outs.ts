/** Resources that people took out of an event of OpenADR. */
export const sql = `
CREATE TABLE openadr_opt_out (
  id text PRIMARY KEY,
  event_id text NOT NULL REFERENCES openadr_event (id) ON DELETE CASCADE,
  resource_name text NOT NULL,
  reason text NOT NULL,
  -- The name of who opted out.
  opted_by text NOT NULL,
  from_at timestamptz NOT NULL,
  -- When somebody opted in again.
  ended_at timestamptz
);
CREATE UNIQUE INDEX openadr_opt_out_open ON openadr_opt_out (event_id, resource_name) WHERE ended_at IS NULL;
CREATE INDEX openadr_opt_out_event ON openadr_opt_out (event_id, from_at);
`
