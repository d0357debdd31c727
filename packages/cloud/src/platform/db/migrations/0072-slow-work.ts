/** Whether the last work for a server of others took long. */
export const sql = `
ALTER TABLE openadr_program ADD COLUMN was_slow boolean NOT NULL DEFAULT false;
-- Workers look for what is due, of all organizations, twice a second.
CREATE INDEX openadr_program_due ON openadr_program (due_at) WHERE active;
ALTER TABLE webhook ADD COLUMN was_slow boolean NOT NULL DEFAULT false;
ALTER TABLE automatic_export_target ADD COLUMN was_slow boolean NOT NULL DEFAULT false;
`
