/** What alerts about automatic exports are decided from, and who started the exports of a schedule. */
export const sql = `
-- When a worker last looked at all automatic exports and could do what was due.
CREATE TABLE automatic_export_look (
  id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  looked_at timestamptz NOT NULL
);
INSERT INTO automatic_export_look (looked_at) VALUES ('-infinity');

-- Only schedules started jobs as the service itself.
UPDATE job SET started_by = jsonb_set(started_by, '{kind}', '"schedule"')
WHERE name = 'TICKET_EXPORT' AND started_by ->> 'kind' = 'system';
`
