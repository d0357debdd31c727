/** Sites whose files are still to be removed. */
export const sql = `
CREATE TABLE removed_site (
  site_id text PRIMARY KEY,
  organization_id text NOT NULL,
  removed_at timestamptz NOT NULL
);
-- Deleting a request looks for its mail, and deleting a person for their requests. Without an index, each of thousands
-- would read all requests of the site.
CREATE INDEX mail_ticket ON mail (ticket_id) WHERE ticket_id IS NOT NULL;
CREATE INDEX ticket_reporter ON ticket (site_id, reporter_id) WHERE reporter_id IS NOT NULL;
CREATE INDEX ticket_supervisor ON ticket (site_id, supervisor_id) WHERE supervisor_id IS NOT NULL;
`
