import { foldEmail } from '@plantroom/contract/fold-email'
import { type Kysely, sql } from 'kysely'

/** In small letters, whatever the locale of the database is. Exact for ASCII; the service folds all others. */
const asciiLower = (email: string) => `translate(${email}, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')`
const isAscii = (email: string) => `octet_length(${email}) = length(${email})`

const BEFORE = `
ALTER TABLE person ADD COLUMN email_key text;
UPDATE person SET email_key = ${asciiLower('email')} WHERE ${isAscii('email')};
DROP INDEX person_email;
-- The service lowers them. The check depended on the locale of the database.
ALTER TABLE user_account DROP CONSTRAINT user_account_email_check, ADD CHECK (length(email) <= 255);
`

const AFTER = `
-- People of a site who turned out to be the same: the oldest keeps the links of all, and what it lacks.
CREATE TEMPORARY TABLE same_person ON COMMIT DROP AS
  SELECT id, first_value(id) OVER same AS kept, name, phone
  FROM person WINDOW same AS (PARTITION BY site_id, email_key ORDER BY created_at, id);
DELETE FROM same_person WHERE id = kept;
UPDATE person SET
    name = coalesce(person.name, (SELECT min(name) FROM same_person WHERE kept = person.id)),
    phone = coalesce(person.phone, (SELECT min(phone) FROM same_person WHERE kept = person.id))
  WHERE id IN (SELECT kept FROM same_person);
UPDATE ticket SET reporter_id = kept FROM same_person WHERE reporter_id = same_person.id;
UPDATE ticket SET assignee_id = kept FROM same_person WHERE assignee_id = same_person.id;
UPDATE ticket SET supervisor_id = kept FROM same_person WHERE supervisor_id = same_person.id;
UPDATE ticket_comment SET author_id = kept FROM same_person WHERE author_id = same_person.id;
UPDATE ticket_watcher SET person_id = kept FROM same_person WHERE person_id = same_person.id;
DELETE FROM ticket_watcher USING ticket_watcher AS first
  WHERE ticket_watcher.person_id IN (SELECT kept FROM same_person) AND first.ticket_id = ticket_watcher.ticket_id
    AND first.person_id = ticket_watcher.person_id AND first.position < ticket_watcher.position;
UPDATE ticket_change SET
    before = replace(before::text, '"' || same_person.id || '"', '"' || kept || '"')::jsonb,
    after = replace(after::text, '"' || same_person.id || '"', '"' || kept || '"')::jsonb
  FROM same_person WHERE before ? same_person.id OR after ? same_person.id;
DELETE FROM person USING same_person WHERE person.id = same_person.id;

ALTER TABLE person ALTER COLUMN email_key SET NOT NULL;
-- Addresses are compared by their keys.
CREATE UNIQUE INDEX person_email ON person (site_id, email_key);

-- By the database, so that processes of an earlier version keep the keys too.
CREATE FUNCTION person_email_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.email_key IS NULL OR ${isAscii('NEW.email')} THEN NEW.email_key = ${asciiLower('NEW.email')}; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER person_email_key BEFORE INSERT OR UPDATE OF email ON person
  FOR EACH ROW EXECUTE FUNCTION person_email_key();

-- The contract lists the names of jobs.
ALTER TABLE job DROP CONSTRAINT IF EXISTS job_name_check;
DROP INDEX job_package;
CREATE INDEX job_package ON job (site_id, filename, scheduled) WHERE package_version IS NOT NULL;

-- What became of a tag, unit or address that the site lacks.
ALTER TABLE job_finding ADD COLUMN outcome text NOT NULL DEFAULT 'left' CHECK (outcome IN ('created', 'mapped', 'left'));
UPDATE job_finding SET outcome = 'created' WHERE kind = 'tag';

ALTER TABLE ticket_change
  DROP CONSTRAINT ticket_change_kind_check,
  DROP CONSTRAINT ticket_change_check,
  ADD CHECK (kind IN ('created', 'imported', 'changed', 'filled')),
  ADD CHECK ((field IS NOT NULL) = (kind IN ('changed', 'filled')));

-- What a fill did, or what its preview says it would do, in the order of the package.
CREATE TABLE job_fill (
  job_id text NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  position integer NOT NULL,
  number integer NOT NULL,
  external_id text NOT NULL,
  fields text[] NOT NULL,
  PRIMARY KEY (job_id, position)
);
`

/** Keys by which people are compared, job names that the contract alone lists, and what imports and fills did. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(BEFORE).execute(db)
  await foldPeople(db)
  await foldAccounts(db)
  await sql.raw(AFTER).execute(db)
}

interface Row {
  id: string
  email: string
}

async function foldPeople(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<Row>`SELECT id, email FROM person WHERE email_key IS NULL`.execute(db)
  await sql`
    UPDATE person SET email_key = folded.key
    FROM unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ email }) => foldEmail(email))}::text[]) AS folded (id, key)
    WHERE person.id = folded.id`.execute(db)
}

/** An address that is another account's already stays as it is. */
async function foldAccounts(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<Row>`
    SELECT id, email FROM user_account WHERE NOT ${sql.raw(isAscii('email'))} ORDER BY created_at, id`.execute(db)
  for (const { id, email } of rows) {
    const folded = foldEmail(email)
    if (folded === email) continue
    await sql`
      UPDATE user_account SET email = ${folded}
      WHERE id = ${id} AND NOT EXISTS (SELECT FROM user_account AS other WHERE other.email = ${folded})`.execute(db)
  }
}
