/** Tests of one output, with what the controller read in them and what people saw. */
export const sql = `
CREATE TABLE output_test (
  number bigint GENERATED ALWAYS AS IDENTITY,
  device_id text NOT NULL REFERENCES device (id) ON DELETE CASCADE,
  override_id text NOT NULL,
  datapoint_id text NOT NULL,
  datapoint_name text NOT NULL,
  value double precision NOT NULL,
  seconds integer NOT NULL,
  meter_id text,
  meter_name text,
  -- How values become kW; NULL when there is nothing to compare.
  settings jsonb,
  -- Stand for the address, scaler and unit of meter and load.
  wiring text,
  started_at timestamptz NOT NULL,
  started_by text,
  moved boolean,
  note text,
  answered_at timestamptz,
  PRIMARY KEY (device_id, override_id)
);
CREATE UNIQUE INDEX output_test_number ON output_test (device_id, number);
CREATE INDEX output_test_wiring ON output_test (device_id, wiring, number) WHERE wiring IS NOT NULL;

ALTER TABLE report ADD COLUMN test jsonb;
CREATE INDEX report_tested ON report (device_id, override_id) WHERE phase = 'tested';
`
