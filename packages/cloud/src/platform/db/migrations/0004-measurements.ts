/**
 * Archived values, with a partition per month, so that an old month can be dropped or moved as a table. The device is
 * part of the key, so no device can write into the history of another.
 */
export const sql = `
CREATE TABLE measurement (
  device_id text NOT NULL,
  datapoint_id text NOT NULL,
  at timestamptz NOT NULL,
  value double precision NOT NULL,
  PRIMARY KEY (device_id, datapoint_id, at)
) PARTITION BY RANGE (at);

CREATE TABLE measurement_gap (
  device_id text NOT NULL,
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  dropped bigint NOT NULL,
  -- A gap that grows while the device is offline is sent again with the same start, which identifies it.
  PRIMARY KEY (device_id, from_at)
);
`
