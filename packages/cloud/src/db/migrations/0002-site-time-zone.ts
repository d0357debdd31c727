/** Where a site keeps its time: limits and schedules go by the hours there. */
export const sql = `
ALTER TABLE site ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC';
`
