/** People who do not want to see the list of first steps of an organization. */
export const sql = `
CREATE TABLE dismissed_checklist (
  user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
  organization_id text NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  PRIMARY KEY (user_id, organization_id)
);
`
