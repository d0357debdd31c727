/** The addresses that commissioned systems write, so that two controllers do not write one. */
export const sql = `
CREATE TABLE written_address (
  technical_system_id text NOT NULL REFERENCES technical_system (id) ON DELETE CASCADE,
  datapoint_id text NOT NULL,
  device_id text NOT NULL,
  -- The names at that time.
  connection text NOT NULL,
  datapoint text NOT NULL,
  -- A hash of the address as the controller's driver writes it, and a range in it. The end is exclusive.
  space text NOT NULL,
  range_start double precision NOT NULL,
  range_end double precision NOT NULL,
  -- Where the address means the same equipment.
  reach text NOT NULL CHECK (reach IN ('site', 'everywhere')),
  PRIMARY KEY (technical_system_id, datapoint_id)
);
CREATE INDEX written_address_space ON written_address (space);
`
