/** Whether the request that was made of a closed alert still has to get a comment about that. */
export const sql = `
ALTER TABLE alert ADD COLUMN is_comment_due boolean NOT NULL DEFAULT false;
CREATE INDEX alert_comment_due ON alert (closed_at) WHERE is_comment_due;
`
