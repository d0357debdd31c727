/** One shape for all rows that are worked on later, and one memory of whose turn it is. */
export const sql = `
-- When an organization last had its turn at a kind of work.
CREATE TABLE work_turn (
  kind text NOT NULL,
  organization_id text NOT NULL,
  taken_at timestamptz NOT NULL,
  PRIMARY KEY (kind, organization_id)
);
DROP TABLE job_turn;

-- What is done again and again, by one process at a time.
CREATE TABLE duty (
  name text PRIMARY KEY,
  organization_id text NOT NULL DEFAULT '',
  due_at timestamptz NOT NULL DEFAULT to_timestamp(0),
  leased_until timestamptz,
  claim integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0
);

ALTER TABLE job RENAME COLUMN lease_until TO leased_until;
ALTER TABLE job RENAME COLUMN retry_count TO attempts;
-- The lease comes first; then the job runs.
ALTER TABLE job DROP CONSTRAINT job_check2;
ALTER TABLE job ADD CHECK (status <> 'RUNNING' OR leased_until IS NOT NULL);
CREATE INDEX job_work ON job (name, organization_id, due_at) WHERE NOT resolved;
DROP INDEX job_due;

ALTER TABLE webhook_delivery ADD COLUMN organization_id text NOT NULL DEFAULT '';
ALTER TABLE webhook_delivery ADD COLUMN leased_until timestamptz;
UPDATE webhook_delivery SET organization_id = webhook.organization_id
  FROM webhook WHERE webhook.id = webhook_delivery.webhook_id;
ALTER TABLE webhook_delivery ALTER COLUMN organization_id DROP DEFAULT;
DROP INDEX webhook_delivery_due;
CREATE INDEX webhook_delivery_work ON webhook_delivery (organization_id, due_at) WHERE state = 'waiting';
CREATE INDEX webhook_delivery_leased ON webhook_delivery (webhook_id) WHERE leased_until IS NOT NULL;

ALTER TABLE automatic_export_delivery ADD COLUMN organization_id text NOT NULL DEFAULT '';
UPDATE automatic_export_delivery SET organization_id = run.organization_id
  FROM automatic_export_run run WHERE run.id = automatic_export_delivery.run_id;
ALTER TABLE automatic_export_delivery ALTER COLUMN organization_id DROP DEFAULT;
CREATE INDEX automatic_export_delivery_work ON automatic_export_delivery (organization_id, due_at) WHERE state = 'waiting';
CREATE INDEX automatic_export_delivery_leased ON automatic_export_delivery (target_id) WHERE leased_until IS NOT NULL;

-- Empty for mail about an account, which belongs to no organization.
ALTER TABLE mail ADD COLUMN organization_id text NOT NULL DEFAULT '';
UPDATE mail SET organization_id = site.organization_id FROM site WHERE site.id = mail.site_id;
ALTER TABLE mail ADD COLUMN leased_until timestamptz;
ALTER TABLE mail ADD COLUMN claim integer NOT NULL DEFAULT 0;
UPDATE mail SET due_at = created_at WHERE due_at IS NULL;
ALTER TABLE mail ALTER COLUMN due_at SET DEFAULT now();
ALTER TABLE mail ALTER COLUMN due_at SET NOT NULL;
DROP INDEX mail_waiting;
CREATE INDEX mail_work ON mail (organization_id, due_at) WHERE sent_at IS NULL AND gave_up_at IS NULL;
`
