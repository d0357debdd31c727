/** The last state that a controller reported: what the console shows while it is offline, and what the portfolio counts. */
export const sql = `
CREATE TABLE device_state (
  device_id text PRIMARY KEY REFERENCES device (id) ON DELETE CASCADE,
  -- By the clock of the cloud.
  received_at timestamptz NOT NULL,
  document jsonb NOT NULL,
  -- Datapoints that are held, and those of them whose equipment did not do it.
  held integer NOT NULL,
  troubled integer NOT NULL
);
`
