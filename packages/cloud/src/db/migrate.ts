import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { sql as organizations } from './migrations/0001-organizations.ts'
import type { Schema } from './schema.ts'

/** In order of their names. What has been released is never edited: a change is a new one. */
const MIGRATIONS: Record<string, string> = {
  '0001-organizations': organizations,
}

/**
 * Brings the database to this version. Processes that start together wait for each other, each
 * migration runs once, and a failed run leaves the database as it was.
 */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(MIGRATIONS).map(([name, text]) => [
            name,
            { up: async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db)) },
          ]),
        ),
    },
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
