/** Controllers that lost their memory, and releases of single overrides that wait for a controller. */
export const sql = `
-- 'memory-lost': the controller came back without what it had. Its memory at that time: { id, run, lost }.
ALTER TABLE device_replacement ADD COLUMN cause text NOT NULL DEFAULT 'replaced'
  CHECK (cause IN ('replaced', 'memory-lost'));
ALTER TABLE device_replacement ADD COLUMN memory jsonb;
CREATE INDEX device_replacement_lost ON device_replacement (finished_at) WHERE cause = 'memory-lost';

-- Empty: everything that the caller placed. Otherwise placed_by is empty.
ALTER TABLE override_release ADD COLUMN override_id text NOT NULL DEFAULT '';
-- Why, in the words of who asked for it.
ALTER TABLE override_release ADD COLUMN reason text NOT NULL DEFAULT '';
ALTER TABLE override_release DROP CONSTRAINT override_release_pkey;
ALTER TABLE override_release ADD PRIMARY KEY (device_id, placed_by, override_id);
`
