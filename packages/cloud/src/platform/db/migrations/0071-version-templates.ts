/** The templates that commissioning files were made from. */
export const sql = `
ALTER TABLE commissioning_version ADD COLUMN templates text[] NOT NULL DEFAULT '{}';
`
