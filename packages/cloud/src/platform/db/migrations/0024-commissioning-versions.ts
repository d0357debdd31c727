/** What was commissioned on a device, version by version. What is there already becomes the first version of each. */
export const sql = `
CREATE TABLE commissioning_version (
  device_id text NOT NULL REFERENCES device (id) ON DELETE CASCADE,
  -- Grows by one with every change of the device.
  version integer NOT NULL,
  -- Derived from device and name, so it stays when the system is removed and comes back.
  technical_system_id text NOT NULL,
  -- A system without connections: it was removed.
  document jsonb NOT NULL,
  -- Null for what was commissioned before versions were kept.
  changed_at timestamptz,
  changed_by jsonb,
  PRIMARY KEY (device_id, version)
);
CREATE INDEX commissioning_version_of_system ON commissioning_version (device_id, technical_system_id, version DESC);

INSERT INTO commissioning_version (device_id, version, technical_system_id, document, changed_at, changed_by)
SELECT device_id, row_number() OVER (PARTITION BY device_id ORDER BY created_at, id), id, document, NULL, NULL
FROM technical_system;
`
