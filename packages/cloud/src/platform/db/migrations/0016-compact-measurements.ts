/**
 * Archived values in a compact form. The datapoints of a device are divided into groups of up to 32, whose values at one
 * time are one row (a frame). A worker moves the frames of a day that is over into one compressed row per datapoint (a
 * block). Existing values become frames, which the worker then compacts.
 */
export const sql = `
CREATE SEQUENCE measurement_group_id AS integer;

CREATE TABLE measurement_series (
  device_id text NOT NULL,
  datapoint_id text NOT NULL,
  group_id integer NOT NULL,
  -- From 1, without holes. Every group has a slot 1.
  slot smallint NOT NULL,
  PRIMARY KEY (device_id, datapoint_id),
  UNIQUE (group_id, slot)
);

CREATE TABLE measurement_frame (
  -- Milliseconds since 1970.
  at bigint NOT NULL,
  group_id integer NOT NULL,
  -- The value of slot 1 comes first. NULL, or the end of the list, where there is none.
  vals double precision[] NOT NULL,
  PRIMARY KEY (group_id, at)
);

CREATE TABLE measurement_block (
  group_id integer NOT NULL,
  -- Days since 1970, in UTC.
  day integer NOT NULL,
  slot smallint NOT NULL,
  -- 0, except on a day with very many values. No time is in two parts.
  part smallint NOT NULL,
  count integer NOT NULL,
  -- Count, lowest, highest and sum of each hour. NULL where the values themselves are few.
  hours bytea,
  data bytea NOT NULL,
  PRIMARY KEY (group_id, slot, day, part)
);
-- Both are compressed already, or too small to gain.
ALTER TABLE measurement_block ALTER COLUMN data SET STORAGE EXTERNAL, ALTER COLUMN hours SET STORAGE MAIN;

-- Devices that were removed and still have measurements, with when a worker first noticed it.
CREATE TABLE measurement_orphan (
  device_id text PRIMARY KEY,
  since timestamptz NOT NULL
);

-- One row: when a worker last had moved all past days into blocks.
CREATE TABLE measurement_upkeep (compacted_at timestamptz NOT NULL);
INSERT INTO measurement_upkeep VALUES (now());

-- NULL keeps measurements forever.
ALTER TABLE organization ADD COLUMN measurement_days integer;

WITH known AS (
  SELECT DISTINCT device_id, datapoint_id FROM measurement
), numbered AS (
  SELECT *, row_number() OVER (PARTITION BY device_id ORDER BY datapoint_id) - 1 AS place FROM known
), groups AS MATERIALIZED (
  SELECT device_id, place / 32 AS number, nextval('measurement_group_id')::integer AS id
  FROM numbered WHERE place % 32 = 0
)
INSERT INTO measurement_series (device_id, datapoint_id, group_id, slot)
SELECT device_id, datapoint_id, groups.id, place % 32 + 1
FROM numbered JOIN groups USING (device_id) WHERE groups.number = place / 32;

INSERT INTO measurement_frame (group_id, at, vals)
SELECT group_id, at, ARRAY(
  SELECT given.value
  FROM generate_series(1, width) AS every (slot) LEFT JOIN unnest(slots, given_values) AS given (slot, value) USING (slot)
  ORDER BY every.slot
)
FROM (
  SELECT group_id, round(extract(epoch FROM measurement.at) * 1000)::bigint AS at,
    max(slot) AS width, array_agg(slot) AS slots, array_agg(value) AS given_values
  FROM measurement JOIN measurement_series USING (device_id, datapoint_id)
  GROUP BY 1, 2
) AS together;

DROP TABLE measurement;
`
