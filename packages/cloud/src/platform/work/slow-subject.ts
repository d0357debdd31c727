import { sql } from 'kysely'
import type { LeasedRows, SlowRows, WorkTable } from './leased-rows.ts'

/** Tables that remember whether what they are about took long. */
type SubjectTable = 'openadr_program' | 'webhook' | 'automatic_export_target'

/** Remembers how long work takes with what it is about: the row of `table` whose id is in `column`. */
export function slowSubject<Key extends string>(
  { table, key }: Pick<LeasedRows<WorkTable, Key>, 'table' | 'key'>,
  subject: { table: SubjectTable; column: string },
): SlowRows<Key> {
  const id = sql.ref(`item.${subject.column}`)
  return {
    is: () =>
      sql`coalesce((SELECT was_slow FROM ${sql.table(subject.table)} AS subject WHERE subject.id = ${id}), false)`,
    remember(db, lease, isSlow) {
      const isItem = sql.join(
        key.map((name) => sql`${sql.ref(`item.${name}`)} = ${lease[name]}`),
        sql` AND `,
      )
      return sql`
        UPDATE ${sql.table(subject.table)} AS subject SET was_slow = ${isSlow} FROM ${sql.table(table)} AS item
        WHERE ${isItem} AND subject.id = ${id} AND was_slow <> ${isSlow}`.execute(db)
    },
  }
}
