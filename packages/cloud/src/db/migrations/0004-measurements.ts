/**
 * Archived values, a partition a month: an old month is dropped, or moved, as a table. The device is part of the key:
 * whatever datapoint it names, it writes into no other device's history.
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
  -- A gap that grows while the device is offline is sent again: it is the same one for as long as it begins there.
  PRIMARY KEY (device_id, from_at)
);
`
