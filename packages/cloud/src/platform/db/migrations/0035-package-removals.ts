/** Packages of finished imports that are still to be removed. */
export const sql = `
CREATE TABLE package_removal (
  job_id text PRIMARY KEY REFERENCES job (id) ON DELETE CASCADE,
  organization_id text NOT NULL,
  site_id text NOT NULL,
  filename text NOT NULL,
  version text NOT NULL
);
CREATE INDEX package_removal_file ON package_removal (site_id, filename);
`
