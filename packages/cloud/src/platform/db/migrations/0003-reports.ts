/**
 * The audit: what devices did to datapoints. It has no foreign keys to devices and technical systems, because it outlives
 * them. The device is part of the key, so no device can replace an entry of another.
 */
export const sql = `
CREATE TABLE report (
  device_id text NOT NULL,
  id text NOT NULL,
  -- The order of arrival.
  position bigint GENERATED ALWAYS AS IDENTITY,
  organization_id text NOT NULL REFERENCES organization (id),
  -- The site of the device when the entry arrived.
  site_id text NOT NULL,
  code integer NOT NULL,
  at timestamptz NOT NULL,
  technical_system_id text NOT NULL,
  connection_id text NOT NULL,
  datapoint_id text NOT NULL,
  override_id text,
  req_id text,
  phase text NOT NULL,
  reason text NOT NULL,
  value_before jsonb,
  value jsonb,
  read_back jsonb,
  seq bigint NOT NULL,
  PRIMARY KEY (device_id, id)
);

CREATE INDEX report_position ON report (organization_id, position);
CREATE INDEX report_at ON report (organization_id, at);
CREATE INDEX report_site ON report (site_id, position);
CREATE INDEX report_device ON report (device_id, position);
CREATE INDEX report_technical_system ON report (technical_system_id, position);
CREATE INDEX report_datapoint ON report (datapoint_id, position);
`
