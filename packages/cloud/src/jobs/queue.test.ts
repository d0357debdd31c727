import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import { openJobQueue } from './queue.ts'
import { log, openJobBench } from './testing/jobs.ts'

const job = { id: 'job_1', name: 'TICKET_IMPORT' } as const

describe('the job queue', () => {
  test('is made once by processes that start at the same time on an empty database', async () => {
    const address = { connectionString: await createTestDatabase() }
    const queues = await Promise.all(Array.from({ length: 4 }, () => openJobQueue({ address, connections: 1, log })))
    await Promise.all(queues.map((queue) => queue.close()))
  })

  test('says nothing of a message whose transaction was rolled back', async () => {
    const { db, queue } = await openJobBench()
    const rolledBack = db.transaction().execute(async (trx) => {
      await queue.send(trx, job)
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    expect(await queue.take('TICKET_IMPORT')).toBeUndefined()
  })

  test('holds a job once, waiting or taken, and again after it ended', async () => {
    const { db, queue } = await openJobBench()
    await queue.send(db, job)
    await queue.send(db, job)
    const message = await queue.take('TICKET_IMPORT')
    expect(message).toMatchObject({ jobId: 'job_1', name: 'TICKET_IMPORT' })
    await queue.send(db, job)
    expect(await queue.take('TICKET_IMPORT')).toBeUndefined()

    if (message) await queue.end(db, message)
    expect(await queue.take('TICKET_IMPORT')).toBeUndefined()
    await queue.send(db, job)
    expect(await queue.take('TICKET_IMPORT')).toMatchObject({ jobId: 'job_1' })
  })

  test('gives a message to one of many who ask at once', async () => {
    const { db, queue } = await openJobBench()
    await queue.send(db, job)
    const taken = await Promise.all(Array.from({ length: 8 }, () => queue.take('TICKET_IMPORT')))
    expect(taken.filter(Boolean)).toHaveLength(1)
  })

  test('keeps back what is due later', async () => {
    const { db, queue } = await openJobBench()
    await queue.send(db, job, 60)
    expect(await queue.take('TICKET_IMPORT')).toBeUndefined()
    await sql`UPDATE pgboss.job SET start_after = now()`.execute(db)
    expect(await queue.take('TICKET_IMPORT')).toMatchObject({ jobId: 'job_1' })
  })

  test('hands on at once what was not touched for the lease, and only that', async () => {
    const { db, queue, letLeasesEnd } = await openJobBench()
    await queue.send(db, job)
    const message = await queue.take('TICKET_IMPORT')
    await queue.takeBack()
    expect(await queue.take('TICKET_IMPORT')).toBeUndefined()

    await letLeasesEnd()
    if (message) await queue.touch(message)
    await forgetLastLook(db)
    await queue.takeBack()
    expect(await queue.take('TICKET_IMPORT')).toBeUndefined()

    await letLeasesEnd()
    await forgetLastLook(db)
    await queue.takeBack()
    expect(await queue.take('TICKET_IMPORT')).toEqual(message)
  })

  test('notices a dead worker within a minute', async () => {
    const { db, queue } = await openJobBench()
    await queue.send(db, job)
    const { rows } = await sql<{ lease: number }>`SELECT heartbeat_seconds AS lease FROM pgboss.job`.execute(db)
    expect(rows[0]?.lease).toBeLessThanOrEqual(20)
  })
})

type Db = Awaited<ReturnType<typeof openJobBench>>['db']
/** It looks once a second at most. */
const forgetLastLook = (db: Db) => sql`UPDATE pgboss.queue SET monitor_claim_on = NULL, monitor_on = NULL`.execute(db)
