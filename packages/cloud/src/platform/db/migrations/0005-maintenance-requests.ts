/**
 * The maintenance requests of a site with their comments, attachments, tags, units and people, and the jobs that import
 * and export them. Constraints enforce uniqueness for all concurrent writers.
 */
export const sql = `
ALTER TABLE site ADD COLUMN maintenance_requests boolean NOT NULL DEFAULT false;

CREATE TRIGGER site_change AFTER INSERT OR UPDATE OR DELETE ON site
  FOR EACH ROW EXECUTE FUNCTION tell_change();

CREATE TABLE person (
  id text PRIMARY KEY,
  site_id text NOT NULL REFERENCES site (id),
  email text NOT NULL CHECK (length(email) <= 255),
  name text CHECK (length(name) <= 255),
  phone text CHECK (length(phone) <= 64),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (site_id, id)
);
-- Addresses are compared without regard to case.
CREATE UNIQUE INDEX person_email ON person (site_id, lower(email));

CREATE TABLE unit (
  id text PRIMARY KEY,
  site_id text NOT NULL REFERENCES site (id),
  name text NOT NULL CHECK (name = btrim(name) AND name <> '' AND length(name) <= 255),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (site_id, name),
  UNIQUE (site_id, id)
);

CREATE TABLE tag (
  id text PRIMARY KEY,
  site_id text NOT NULL REFERENCES site (id),
  name text NOT NULL CHECK (name <> '' AND length(name) <= 255),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (site_id, name),
  UNIQUE (site_id, id)
);

CREATE TABLE job (
  id text PRIMARY KEY,
  -- The order in which jobs were accepted.
  position bigint GENERATED ALWAYS AS IDENTITY,
  organization_id text NOT NULL,
  site_id text NOT NULL,
  name text NOT NULL CHECK (name IN ('PREVIEW_TICKET_IMPORT', 'TICKET_IMPORT', 'TICKET_EXPORT')),
  status text NOT NULL DEFAULT 'SCHEDULED' CHECK (status IN ('SCHEDULED', 'RUNNING', 'SUCCESS', 'ERROR')),
  resolved boolean NOT NULL DEFAULT false,
  retry_count integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL,
  scheduled timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  finished_at timestamptz,
  -- Increases each time a worker claims the job. A worker with an older claim has lost the job and must not write.
  claim integer NOT NULL DEFAULT 0,
  -- The package that is read, or that an export creates.
  filename text NOT NULL,
  -- Identifies the accepted bytes, so that no other version is read.
  package_version text,
  -- The API key of the caller; null for the operator.
  key_id text,
  progress jsonb,
  output jsonb,
  -- Details of a failure for developers, not shown to clients.
  cause text,
  CHECK (NOT resolved OR status IN ('SUCCESS', 'ERROR')),
  CHECK (status <> 'SUCCESS' OR resolved),
  FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id)
);
CREATE INDEX job_site ON job (site_id, position DESC);
CREATE INDEX job_unresolved ON job (site_id, position) WHERE NOT resolved;

-- The complete list of problems of an invalid package.
CREATE TABLE job_problem (
  job_id text NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  position integer NOT NULL,
  path text NOT NULL,
  value text,
  rule text NOT NULL,
  PRIMARY KEY (job_id, position)
);

-- The result of an import. Stored before its package is deleted, because a worker that takes over later finds no package.
CREATE TABLE import_result (
  job_id text PRIMARY KEY REFERENCES job (id) ON DELETE CASCADE,
  output jsonb NOT NULL
);

-- The complete findings of a preview or import; the output of the job contains only the first.
CREATE TABLE job_finding (
  job_id text NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  -- A tag that is created, a unit that stays empty, or a person who is skipped.
  kind text NOT NULL CHECK (kind IN ('tag', 'unit', 'email')),
  -- Identifies duplicates: the name, or the address in lower case.
  key text NOT NULL,
  value text NOT NULL,
  -- For an address: its roles in the package.
  roles text[] NOT NULL DEFAULT '{}',
  -- In order of appearance.
  position bigint NOT NULL,
  PRIMARY KEY (job_id, kind, key)
);
CREATE INDEX job_finding_position ON job_finding (job_id, kind, position);

CREATE TABLE ticket (
  id text PRIMARY KEY,
  site_id text NOT NULL REFERENCES site (id),
  number integer NOT NULL,
  external_id text NOT NULL CHECK (external_id <> '' AND length(external_id) <= 255),
  title text NOT NULL CHECK (length(title) <= 255),
  state text NOT NULL CHECK (state IN ('new', 'open', 'in_progress', 'on_hold', 'resolved', 'closed', 'canceled')),
  description text,
  notes text,
  resolution_summary text,
  priority smallint CHECK (priority BETWEEN 0 AND 3),
  language text CHECK (length(language) <= 8),
  tone text CHECK (tone IN ('neutral', 'polite', 'frustrated', 'angry')),
  scope text CHECK (scope IN ('unit', 'common_area', 'building')),
  safety_hazard boolean,
  -- The reporter from the package; reporter_id only when a person of the site has that address.
  reporter_id text,
  reporter_email text,
  reporter_name text,
  reporter_phone text,
  assignee_id text,
  supervisor_id text,
  unit_id text,
  cc_emails text[] NOT NULL DEFAULT '{}',
  feedback double precision,
  feedback_text text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz,
  resolved_at timestamptz,
  state_changed_at timestamptz NOT NULL,
  -- The import that created the request.
  job_id text,
  -- The position in the package.
  job_position integer,
  UNIQUE (site_id, external_id),
  UNIQUE (site_id, number),
  UNIQUE (site_id, id),
  FOREIGN KEY (site_id, reporter_id) REFERENCES person (site_id, id) ON DELETE SET NULL (reporter_id),
  FOREIGN KEY (site_id, assignee_id) REFERENCES person (site_id, id) ON DELETE SET NULL (assignee_id),
  FOREIGN KEY (site_id, supervisor_id) REFERENCES person (site_id, id) ON DELETE SET NULL (supervisor_id),
  FOREIGN KEY (site_id, unit_id) REFERENCES unit (site_id, id) ON DELETE SET NULL (unit_id)
);
CREATE INDEX ticket_state ON ticket (site_id, state, number DESC);
CREATE INDEX ticket_assignee ON ticket (site_id, assignee_id, number DESC) WHERE assignee_id IS NOT NULL;
CREATE INDEX ticket_unit ON ticket (site_id, unit_id, number DESC) WHERE unit_id IS NOT NULL;
CREATE INDEX ticket_job ON ticket (job_id, job_position) WHERE job_id IS NOT NULL;

-- The last number assigned on a site. Locking the row serializes the assignment.
CREATE TABLE ticket_number (
  site_id text PRIMARY KEY REFERENCES site (id),
  last integer NOT NULL
);

CREATE TABLE ticket_tag (
  ticket_id text NOT NULL REFERENCES ticket (id) ON DELETE CASCADE,
  position integer NOT NULL,
  tag_id text NOT NULL REFERENCES tag (id),
  PRIMARY KEY (ticket_id, position)
);
CREATE INDEX ticket_tag_tag ON ticket_tag (tag_id);

CREATE TABLE ticket_watcher (
  ticket_id text NOT NULL REFERENCES ticket (id) ON DELETE CASCADE,
  position integer NOT NULL,
  person_id text NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  PRIMARY KEY (ticket_id, position)
);
CREATE INDEX ticket_watcher_person ON ticket_watcher (person_id);

CREATE TABLE ticket_comment (
  ticket_id text NOT NULL REFERENCES ticket (id) ON DELETE CASCADE,
  position integer NOT NULL,
  content text NOT NULL,
  author_id text REFERENCES person (id) ON DELETE SET NULL,
  author_email text,
  author_name text,
  author_phone text,
  created_at timestamptz,
  PRIMARY KEY (ticket_id, position)
);
CREATE INDEX ticket_comment_author ON ticket_comment (author_id) WHERE author_id IS NOT NULL;

CREATE TABLE ticket_attachment (
  id text PRIMARY KEY,
  ticket_id text NOT NULL REFERENCES ticket (id) ON DELETE CASCADE,
  -- The comment it belongs to; null for an attachment of the request itself.
  comment_position integer,
  position integer NOT NULL,
  name text NOT NULL,
  content_type text,
  size bigint NOT NULL,
  -- The content is stored in the files of the site under this hash.
  sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
  UNIQUE NULLS NOT DISTINCT (ticket_id, comment_position, position),
  FOREIGN KEY (ticket_id, comment_position) REFERENCES ticket_comment (ticket_id, position) ON DELETE CASCADE
);

CREATE TABLE mail (
  id text PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  site_id text NOT NULL REFERENCES site (id),
  ticket_id text REFERENCES ticket (id) ON DELETE SET NULL,
  recipient text NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The earliest time to send; null for immediately. Moved ahead before each attempt.
  due_at timestamptz,
  sent_at timestamptz,
  gave_up_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  -- Why the last attempt failed.
  error text,
  CHECK (sent_at IS NULL OR gave_up_at IS NULL)
);
CREATE INDEX mail_site ON mail (site_id, position DESC);
CREATE INDEX mail_waiting ON mail (position) WHERE sent_at IS NULL AND gave_up_at IS NULL;
`
