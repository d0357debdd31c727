/** Sites whose files are still to be removed. */
export const sql = `
CREATE TABLE removed_site (
  site_id text PRIMARY KEY,
  organization_id text NOT NULL,
  removed_at timestamptz NOT NULL
);
-- Deleting a request looks for its mail.
CREATE INDEX mail_ticket ON mail (ticket_id) WHERE ticket_id IS NOT NULL;
`
