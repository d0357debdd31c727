/** Keeps organizations from using up what they share: turns of the job queue, uploaded packages, mail. */
export const sql = `
-- When each organization last got a worker. The organization that has waited for longest comes next.
CREATE TABLE job_turn (
  organization_id text NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  name text NOT NULL,
  taken_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, name)
);
CREATE INDEX job_unresolved_organization ON job (organization_id) WHERE NOT resolved;

-- Names under which packages were, or may have been, uploaded, until an import or the sweep removes the file.
CREATE TABLE package_upload (
  organization_id text NOT NULL,
  site_id text NOT NULL,
  filename text NOT NULL,
  -- When an upload address was last given out.
  offered_at timestamptz NOT NULL,
  PRIMARY KEY (site_id, filename),
  FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX package_upload_organization ON package_upload (organization_id);
CREATE INDEX package_upload_offered ON package_upload (offered_at);
CREATE INDEX job_package ON job (site_id, filename, scheduled) WHERE name IN ('PREVIEW_TICKET_IMPORT', 'TICKET_IMPORT');
-- Packages of earlier versions that were only previewed, or whose import failed.
INSERT INTO package_upload (organization_id, site_id, filename, offered_at)
  SELECT organization_id, site_id, filename, max(scheduled) FROM job
  WHERE name IN ('PREVIEW_TICKET_IMPORT', 'TICKET_IMPORT')
  GROUP BY organization_id, site_id, filename;

-- Counts what a site has sent within the last hour.
CREATE INDEX mail_sent ON mail (sent_at, site_id) WHERE sent_at IS NOT NULL;
`
