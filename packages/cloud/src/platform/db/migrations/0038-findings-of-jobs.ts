/**
 * Findings no longer have a foreign key to their job. Workers update the row of a running job every few seconds, and as long
 * as a large batch is not committed the database keeps every version of that row. Each of a million checks of the key read
 * all of them.
 */
export const sql = `
ALTER TABLE job_finding DROP CONSTRAINT job_finding_job_id_fkey;
CREATE FUNCTION job_findings_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM job_finding USING removed WHERE job_finding.job_id = removed.id;
  RETURN NULL;
END $$;
CREATE TRIGGER job_findings_removed AFTER DELETE ON job
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION job_findings_removed();
`
