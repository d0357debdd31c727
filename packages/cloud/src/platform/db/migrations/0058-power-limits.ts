/**
 * Power limits: a fleet dispatch may be a limit, whose targets are the meters of controllers; a list of these meters; and the
 * intervals of limits among the audit entries.
 */
export const sql = `
ALTER TABLE fleet_dispatch
  ADD COLUMN kind text NOT NULL DEFAULT 'setpoint' CHECK (kind IN ('setpoint', 'limit')),
  -- Only of limits. Their kW are in total_kw.
  ADD COLUMN direction text CHECK (direction IN ('import', 'export')),
  ADD COLUMN averaging_seconds integer,
  ADD CONSTRAINT fleet_dispatch_limit CHECK (
    (kind = 'limit') = (direction IS NOT NULL) AND (kind = 'limit') = (averaging_seconds IS NOT NULL)
  );
ALTER TABLE fleet_target
  -- Grows each time that the total of a limit is split again.
  ADD COLUMN round integer NOT NULL DEFAULT 0,
  -- Another target of the same controller has the share that counts.
  ADD COLUMN is_replaced boolean NOT NULL DEFAULT false;

-- The meters of all commissioned power limits, to select controllers without reading the documents.
CREATE TABLE limited_meter (
  technical_system_id text PRIMARY KEY REFERENCES technical_system (id) ON DELETE CASCADE,
  id text NOT NULL,
  device_id text NOT NULL,
  guaranteed_kw double precision NOT NULL,
  -- What the loads can draw, and by how much they can raise what the site draws.
  import_kw double precision NOT NULL,
  export_kw double precision NOT NULL
);
CREATE INDEX limited_meter_device ON limited_meter (device_id);

CREATE FUNCTION list_limited_meters(system technical_system) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM limited_meter WHERE technical_system_id = system.id;
  INSERT INTO limited_meter (technical_system_id, id, device_id, guaranteed_kw, import_kw, export_kw)
  SELECT system.id, power->>'meterId', system.device_id, coalesce((power->>'guaranteedKw')::double precision, 0),
    moved.import_kw, moved.export_kw
  FROM (SELECT system.document->'powerLimit' AS power) AS given
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(greatest(0, coalesce(load->>'maxKw', load->>'ratedKw')::double precision)), 0) AS import_kw,
      coalesce(sum((load->>'maxKw')::double precision - (load->>'minKw')::double precision), 0) AS export_kw
    FROM json_array_elements(power->'loads') AS load
  ) AS moved
  WHERE power->>'meterId' IS NOT NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'the power limit of technical system % is not listed: %', system.id, SQLERRM;
END $$;

CREATE FUNCTION list_changed_meters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM list_limited_meters(NEW);
  RETURN NULL;
END $$;
CREATE TRIGGER technical_system_limited AFTER INSERT OR UPDATE OF document ON technical_system
  FOR EACH ROW EXECUTE FUNCTION list_changed_meters();

SELECT list_limited_meters(technical_system) FROM technical_system;

ALTER TABLE report
  ADD COLUMN interval jsonb,
  ADD COLUMN interval_from timestamptz,
  -- NULL when too little of the interval was read to say.
  ADD COLUMN interval_kept boolean;
CREATE INDEX report_interval ON report (site_id, interval_from, position) WHERE interval_from IS NOT NULL;
CREATE INDEX report_interval_missed ON report (interval_from) WHERE NOT interval_kept;
`
