/** How far imports have come, also with requests that were on the site before. */
export const sql = `
CREATE TABLE import_progress (
  job_id text PRIMARY KEY REFERENCES job (id) ON DELETE CASCADE,
  -- The first requests of the package, all of which are on the site.
  passed integer NOT NULL,
  -- Requests of the package; null for an import that an earlier version began.
  total integer
);
INSERT INTO import_progress (job_id, passed)
  SELECT job_id, max(job_position) + 1 FROM ticket JOIN job ON job.id = ticket.job_id
  WHERE NOT job.resolved GROUP BY job_id;
`
