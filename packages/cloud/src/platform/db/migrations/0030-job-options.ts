/** Further input of a job, beside the name and the version of its file. */
export const sql = `
ALTER TABLE job ADD COLUMN options jsonb;
`
