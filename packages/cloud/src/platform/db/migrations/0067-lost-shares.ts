/** Shares of a power limit that a controller had accepted and has lost since. */
export const sql = `
ALTER TABLE fleet_target ADD COLUMN is_lost boolean NOT NULL DEFAULT false;
UPDATE fleet_target SET is_lost = true WHERE reason = 'the controller no longer has the limit' AND override_id IS NOT NULL;
`
