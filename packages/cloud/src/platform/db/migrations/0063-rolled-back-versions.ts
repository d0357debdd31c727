/** Versions that controllers went back from. */
export const sql = `
ALTER TABLE commissioning_version
  -- Names the load in what the controller says of its trial.
  ADD COLUMN load_id text,
  -- When and why the controller went back, as it said.
  ADD COLUMN rolled_back jsonb;
-- Those that controllers restored.
CREATE INDEX commissioning_version_of_device ON commissioning_version (device_id) WHERE changed_by ->> 'kind' = 'device';
`
