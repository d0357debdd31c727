/** The audit as devices signed it: the exact text of each entry, and the signatures over their hashes. */
export const sql = `
CREATE TABLE report_chain (
  device_id text NOT NULL,
  -- The id of the entry.
  id text NOT NULL,
  -- The order of arrival.
  position bigint GENERATED ALWAYS AS IDENTITY,
  organization_id text NOT NULL REFERENCES organization (id),
  entry text NOT NULL,
  -- Of the last entry of a batch.
  key text,
  signature text,
  PRIMARY KEY (device_id, id),
  CHECK ((key IS NULL) = (signature IS NULL))
);

CREATE INDEX report_chain_device ON report_chain (organization_id, device_id, position);
`
