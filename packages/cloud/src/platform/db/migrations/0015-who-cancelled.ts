/** Who placed and who cancelled the override of an audit entry; who asked to cancel what a key placed. */
export const sql = `
-- { id, name, reason } as the device stated them. NULL for other writers, and for entries from before this version.
ALTER TABLE report ADD COLUMN placed_by jsonb;
ALTER TABLE report ADD COLUMN cancelled_by jsonb;

ALTER TABLE override_release ADD COLUMN requested_by text NOT NULL DEFAULT 'operator';
ALTER TABLE override_release ADD COLUMN requested_by_name text NOT NULL DEFAULT 'Operator';
`
