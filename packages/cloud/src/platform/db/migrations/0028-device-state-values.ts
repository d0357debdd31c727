/** The last known value of each datapoint, by its id, with its connection: a controller says its state without most of them. */
export const sql = `
ALTER TABLE device_state ADD COLUMN live_values jsonb NOT NULL DEFAULT '{}';
`
