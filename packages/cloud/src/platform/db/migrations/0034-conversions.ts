/** Conversions of exports of other systems, and what a preview shows of a package. */
export const sql = `
-- The program knows the names of its jobs. A list here would have to grow with every new one.
ALTER TABLE job DROP CONSTRAINT IF EXISTS job_name_check;

ALTER TABLE job_problem ADD COLUMN external_id text;

-- The first requests of the package of a preview. They quote the package, so they go when it goes.
CREATE TABLE job_sample (
  job_id text NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  position integer NOT NULL,
  sample jsonb NOT NULL,
  PRIMARY KEY (job_id, position)
);

-- Values of an export that have no field of their own: the first ones, for lists. The file of the job has all.
CREATE TABLE conversion_unplaced (
  job_id text NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  position integer NOT NULL,
  -- Texts by column of the account, in its order.
  cells json NOT NULL,
  PRIMARY KEY (job_id, position)
);

CREATE TABLE conversion_mapping (
  id text PRIMARY KEY,
  site_id text NOT NULL REFERENCES site (id) ON DELETE CASCADE,
  source text NOT NULL,
  name text NOT NULL CHECK (length(name) <= 100),
  -- In the order in which it was written.
  mapping json NOT NULL,
  saved_at timestamptz NOT NULL,
  CONSTRAINT conversion_mapping_name UNIQUE (site_id, source, name)
);
`
