import type { Log } from '@plantroom/base/log'
import { JOB_NAMES, type JobName } from '@plantroom/contract/jobs'
import { type ConstructorOptions, fromKysely, PgBoss } from 'pg-boss'
import type { DatabaseAddress, Db } from '../db/database.ts'

/** A message that says: run this job. */
export interface Message {
  /** Of the message, not of the job. */
  id: string
  name: JobName
  jobId: string
}

/**
 * The clock of the jobs: when one is due, who has it, and whether that one is still alive. What a job is, and what
 * became of it, is in our own table.
 */
export interface JobQueue {
  /** Within the transaction that makes it due. A job that is in the queue, or being run, is not put there twice. */
  send(trx: Db, job: { id: string; name: JobName }, inS?: number): Promise<void>
  /** The next that is due, now ours: until it is ended, or not touched for the lease. */
  take(name: JobName): Promise<Message | undefined>
  touch(message: Message): Promise<void>
  /** Within the transaction that says what became of the job. */
  end(trx: Db, message: Message): Promise<void>
  /** Puts back what dead workers have left. */
  takeBack(): Promise<void>
  close(): Promise<void>
}

/** The shortest that pg-boss knows: with one look-out every few seconds, a dead worker is noticed within 20. */
const LEASE_S = 10
/** How long a worker that lives may hold a message: longer than any attempt may take. */
const LONGEST_S = 4 * 3600
/** Our own table counts the attempts: the queue must never be the one that gives up. */
const RETRIES = 1_000
const KEEP_S = 3600

const MESSAGE = {
  heartbeatSeconds: LEASE_S,
  expireInSeconds: LONGEST_S,
  retryLimit: RETRIES,
  retryDelay: 0,
  deleteAfterSeconds: KEEP_S,
} as const

/** Makes the queue in the database where it is missing; processes that start together wait for each other. */
export async function openJobQueue(options: {
  address: DatabaseAddress
  connections: number
  log: Log
}): Promise<JobQueue> {
  const { address, connections, log } = options
  const boss = new PgBoss({
    // The same fields; there too, one that is undefined is one that is not said.
    ...(address as ConstructorOptions),
    application_name: 'plantroom queue',
    max: connections,
    // Our own clock calls `takeBack`, and nothing here runs by the calendar.
    supervise: false,
    schedule: false,
    monitorIntervalSeconds: 1,
    reindex: false,
    monitorVacuum: false,
  })
  boss.on('error', (error) => log.warn({ error: error.message }, 'the job queue has trouble'))
  boss.on('warning', ({ message }) => log.debug({ warning: message }, 'the job queue warns'))
  try {
    await boss.start()
    for (const name of JOB_NAMES) await boss.createQueue(name, { policy: 'exclusive' })
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {})
    throw error
  }

  return {
    async send(trx, { id, name }, inS = 0) {
      await boss.send(name, { jobId: id }, { ...MESSAGE, singletonKey: id, startAfter: inS, db: fromKysely(trx) })
    },

    async take(name) {
      const [taken] = await boss.fetch<{ jobId: string }>(name)
      return taken && { id: taken.id, name, jobId: taken.data.jobId }
    },

    async touch({ name, id }) {
      await boss.touch(name, id)
    },

    async end(trx, { name, id }) {
      await boss.complete(name, id, null, { db: fromKysely(trx) })
    },

    takeBack: () => boss.supervise(),
    close: () => boss.stop({ graceful: false }),
  }
}
