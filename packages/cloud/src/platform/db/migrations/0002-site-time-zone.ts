/** The time zone of a site, for hourly limits and schedules. */
export const sql = `
ALTER TABLE site ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC';
`
