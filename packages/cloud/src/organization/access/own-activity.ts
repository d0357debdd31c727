import type { FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/database.ts'
import { organizationsOf } from '../activity/index.ts'

/** What a person does with their own account, for the logs of all their organizations. */
export async function ofThemselves(tx: Db, { actor: { id, name } }: Pick<FastifyRequest, 'actor'>) {
  return { organizationId: await organizationsOf(tx, id ?? ''), subject: { kind: 'person', id, name } as const }
}
