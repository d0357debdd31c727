import { once } from 'node:events'
import { sleep, systemClock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import type { ImportOutput } from '@plantroom/contract/jobs'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { requireHeld } from '../claim-store.ts'
import type { JobTools } from '../job.ts'
import { JobFailure } from '../job-failure.ts'

const output = (tickets: number): ImportOutput => ({
  created: { tickets, comments: 0, attachments: 0, tags: 0 },
  skipped: 0,
  unmatchedEmails: [],
  unmatchedUnits: [],
})

/** Does what the name of the package says, such as `write-20-then-fail.fpl`. */
export async function testHandler(db: Db, { job, progress, signal }: JobTools): Promise<ImportOutput> {
  const [, count] = /^write-(\d+)/.exec(job.filename) ?? []
  const isFirst = job.retryCount === 1
  let written = 0
  for (let position = 0; position < Number(count ?? 0); position += 1) {
    signal.throwIfAborted()
    written += await write(db, { job }, position)
    progress({ stage: 'writing', done: position + 1, total: Number(count) })
  }
  const then = job.filename.replace(/^write-\d+-then-/, '').replace(/\.fpl$/, '')
  if (then === 'fail') throw new JobFailure('the equipment room is locked', { final: false })
  if (then === 'fail-once' && isFirst) throw new JobFailure('the equipment room is locked', { final: false })
  if (then === 'hang' || (then === 'hang-once' && isFirst)) await once(signal, 'abort')
  if (then === 'hang-deaf') await sleep(systemClock, 3_600_000)
  signal.throwIfAborted()
  if (then === 'throw') throw new Error('a secret of the code')
  if (then === 'full-disk') throw new Failure('unavailable', 'the disk is full: make room on it, then try again')
  if (then === 'replaced') throw new Failure('conflict', 'the file was replaced')
  if (then === 'exit') process.exit(3)
  if (then === 'eat-memory') for (const eaten: string[] = []; ; ) eaten.push(newId('x').repeat(10))
  if (then === 'hold-100-mb') return output(Array.from({ length: 400_000 }, () => Array(25).fill(1.5)).length)
  if (then === 'invalid') {
    const problem = { path: 'tickets[0].title', value: '=1+1', rule: 'must not be blank', message: 'bad \0 \ud800' }
    throw new JobFailure('Invalid manifest: tickets[0].title \0: must not be blank', {
      final: true,
      problems: [problem, { ...problem, path: 'tickets[1], "quoted"', value: null }],
    })
  }
  return output(written)
}

/** One request, once, as an import would: in a transaction that only the holder of the job can commit. */
function write(db: Db, { job }: Pick<JobTools, 'job'>, position: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await requireHeld(trx, job)
    const { numAffectedRows = 0n } = await sql`
      INSERT INTO ticket (id, site_id, number, external_id, title, state, created_at, state_changed_at, job_id, job_position)
      SELECT ${newId('ticket')}, ${job.siteId}, coalesce(max(number), 0) + 1, ${`${job.filename} ${position}`}, 'Title', 'new',
        now(), now(), ${job.id}, ${position}
      FROM ticket WHERE site_id = ${job.siteId}
      ON CONFLICT (site_id, external_id) DO NOTHING`.execute(trx)
    return Number(numAffectedRows)
  })
}
