/**
 * What the portfolio and the search read without opening a commissioning document: every datapoint by name, and which of
 * them may be the power of a site.
 */
export const sql = `
CREATE TABLE listed_datapoint (
  technical_system_id text NOT NULL REFERENCES technical_system (id) ON DELETE CASCADE,
  id text NOT NULL,
  device_id text NOT NULL,
  organization_id text NOT NULL,
  name text NOT NULL,
  -- The name in small letters, as it is searched.
  search text NOT NULL,
  unit text,
  tags text[] NOT NULL,
  -- Peak shaving of its technical system watches it.
  is_peak_meter boolean NOT NULL,
  -- It is a peak meter, or tagged as the power of the site.
  is_power boolean NOT NULL,
  PRIMARY KEY (technical_system_id, id)
);
CREATE INDEX listed_datapoint_organization ON listed_datapoint (organization_id);
CREATE INDEX listed_datapoint_device ON listed_datapoint (device_id, id);
CREATE INDEX listed_datapoint_power ON listed_datapoint (organization_id) WHERE is_power;
CREATE INDEX alert_open_site ON alert (organization_id, site_id) WHERE closed_at IS NULL;

CREATE FUNCTION list_datapoints(system technical_system) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM listed_datapoint WHERE technical_system_id = system.id;
  INSERT INTO listed_datapoint
    (technical_system_id, id, device_id, organization_id, name, search, unit, tags, is_peak_meter, is_power)
  SELECT system.id, point->>'id', device.id, device.organization_id, point->>'name', lower(point->>'name'),
    point->>'unit', label.tags, label.is_peak_meter, label.is_peak_meter OR 'site.power' = ANY (label.tags)
  FROM device, json_array_elements(system.document->'connections') AS connection
  CROSS JOIN LATERAL json_array_elements(connection->'datapoints') AS point
  CROSS JOIN LATERAL (SELECT
    ARRAY(SELECT json_array_elements_text(point->'tags')) AS tags,
    coalesce(point->>'id' = system.document->'peakShaving'->>'meterId', false) AS is_peak_meter
  ) AS label
  WHERE device.id = system.device_id;
EXCEPTION WHEN OTHERS THEN
  -- A document of an earlier version that cannot be read: its datapoints are not found by the search.
  RAISE WARNING 'the datapoints of technical system % are not listed: %', system.id, SQLERRM;
END $$;

-- By the database, so that processes of an earlier version keep the list too.
CREATE FUNCTION list_datapoints_of_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM list_datapoints(NEW);
  RETURN NULL;
END $$;
CREATE TRIGGER technical_system_listed AFTER INSERT OR UPDATE OF document ON technical_system
  FOR EACH ROW EXECUTE FUNCTION list_datapoints_of_change();

SELECT list_datapoints(technical_system) FROM technical_system;
`
