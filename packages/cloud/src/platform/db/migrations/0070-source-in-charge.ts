/** What equipment with priorities follows instead of the controller. */
export const sql = `
ALTER TABLE report ADD COLUMN in_charge jsonb;
`
