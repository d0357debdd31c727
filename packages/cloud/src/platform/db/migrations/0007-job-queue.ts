/** Makes the job table the queue: when a job is due, who runs it, and until when the lease of that worker lasts. */
export const sql = `
ALTER TABLE job ADD COLUMN due_at timestamptz NOT NULL DEFAULT now();
-- Set while a worker runs the job. Heartbeats renew it; once it has passed, any worker may claim the job.
ALTER TABLE job ADD COLUMN lease_until timestamptz;
ALTER TABLE job ADD COLUMN worker_id text;

-- The workers of the previous version cannot finish these: the attempt does not count, and the next one is due now.
UPDATE job SET status = 'SCHEDULED', retry_count = greatest(retry_count - 1, 0) WHERE status = 'RUNNING';

ALTER TABLE job ADD CHECK ((status = 'RUNNING') = (lease_until IS NOT NULL));

CREATE INDEX job_due ON job (name, due_at, position) WHERE NOT resolved;

-- Wakes idle workers. Heartbeats do not set due_at.
CREATE TRIGGER job_change AFTER INSERT OR UPDATE OF due_at ON job
  FOR EACH ROW EXECUTE FUNCTION tell_change();

-- The queue of previous versions.
DROP SCHEMA IF EXISTS pgboss CASCADE;
`
