import { Client } from 'pg'
import type { Connection } from './layout.ts'

/** The role of the service. It owns the database, and may neither read files nor run programs of the machine. */
export const SERVICE_ROLE = 'plantroom_service'

// Objects of extensions belong to their extension, and sequences of columns follow their table.
const PREPARE = `
SELECT pg_advisory_xact_lock(hashtextextended('plantroom service role', 0));
DO $$
DECLARE
  statement text;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${SERVICE_ROLE}') THEN
    CREATE ROLE ${SERVICE_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
  END IF;
  FOR statement IN
    WITH ours AS (
      SELECT oid FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
    ), service AS (
      SELECT oid FROM pg_roles WHERE rolname = '${SERVICE_ROLE}'
    )
    SELECT format('ALTER DATABASE %I OWNER TO ${SERVICE_ROLE}', datname)
      FROM pg_database, service WHERE datname = current_database() AND datdba <> service.oid
    UNION ALL
    SELECT format('ALTER SCHEMA %I OWNER TO ${SERVICE_ROLE}', nspname)
      FROM pg_namespace, service
      WHERE pg_namespace.oid IN (SELECT oid FROM ours) AND nspname <> 'public' AND nspowner <> service.oid
    UNION ALL
    SELECT format('ALTER TABLE %s OWNER TO ${SERVICE_ROLE}', pg_class.oid::regclass)
      FROM pg_class, service
      WHERE relnamespace IN (SELECT oid FROM ours) AND relowner <> service.oid
        AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
        AND NOT EXISTS (
          SELECT FROM pg_depend
          WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid
            AND (deptype = 'e' OR (relkind = 'S' AND deptype IN ('a', 'i')))
        )
    UNION ALL
    SELECT format('ALTER ROUTINE %s OWNER TO ${SERVICE_ROLE}', pg_proc.oid::regprocedure)
      FROM pg_proc, service
      WHERE pronamespace IN (SELECT oid FROM ours) AND proowner <> service.oid
        AND NOT EXISTS (
          SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e'
        )
    UNION ALL
    SELECT format('ALTER TYPE %s OWNER TO ${SERVICE_ROLE}', pg_type.oid::regtype)
      FROM pg_type, service
      WHERE typnamespace IN (SELECT oid FROM ours) AND typtype IN ('e', 'd') AND typowner <> service.oid
        AND NOT EXISTS (
          SELECT FROM pg_depend WHERE classid = 'pg_type'::regclass AND objid = pg_type.oid AND deptype = 'e'
        )
  LOOP
    EXECUTE statement;
  END LOOP;
END
$$`

/**
 * Returns a connection that is not the superuser's, to the same database. Creates its role if it is missing and gives it
 * everything that earlier versions created as superuser. Safe to call at any time, from several processes.
 */
export async function connectionOfService(superuser: Connection): Promise<Connection> {
  const client = new Client({ ...superuser, connectionTimeoutMillis: 10_000 })
  // Without a listener, a connection that breaks between queries would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(`BEGIN; ${PREPARE}; COMMIT`)
  } finally {
    await client.end().catch(() => {})
  }
  return { ...superuser, user: SERVICE_ROLE }
}
