import { once } from 'node:events'
import { sleep, systemClock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import type { ImportOutput } from '@plantroom/contract/jobs'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { requireClaim } from '../claim-store.ts'
import { JobFailure, type JobRow, type JobTools } from '../job.ts'

const output = (tickets: number): ImportOutput => ({
  created: { tickets, comments: 0, attachments: 0, tags: 0 },
  skipped: 0,
  unmatchedEmails: [],
  unmatchedUnits: [],
})

/** Does what the file name of the job says: `write-20-then-fail.fpl` writes 20 rows and fails. */
export async function runTestJob(db: Db, { job, progress, signal }: JobTools): Promise<ImportOutput> {
  const [, count] = /^write-(\d+)/.exec(job.filename) ?? []
  const isFirst = job.retryCount === 1
  let written = 0
  for (let position = 0; position < Number(count ?? 0); position += 1) {
    signal.throwIfAborted()
    written += await writeRow(db, job, position)
    progress({ stage: 'writing', done: position + 1, total: Number(count) })
  }
  const then = job.filename.replace(/^write-\d+-then-/, '').replace(/\.fpl$/, '')
  if (then === 'fail') throw new JobFailure('the equipment room is locked', { final: false })
  if (then === 'fail-once' && isFirst) throw new JobFailure('the equipment room is locked', { final: false })
  if (then === 'hang' || (then === 'hang-once' && isFirst)) await once(signal, 'abort')
  if (then === 'hang-deaf') await sleep(systemClock, 3_600_000)
  signal.throwIfAborted()
  if (then === 'throw') throw new Error('a secret of the code')
  if (then === 'full-disk') throw new Failure('unavailable', 'the disk is full: free some space, then try again')
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

/** Writes a row at most once, in a transaction that only the claim of this job can commit. */
function writeRow(db: Db, job: JobRow, position: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await requireClaim(trx, job)
    const { numAffectedRows = 0n } = await sql`
      INSERT INTO job_problem (job_id, position, path, rule) VALUES (${job.id}, ${position}, 'row', 'written')
      ON CONFLICT (job_id, position) DO NOTHING`.execute(trx)
    return Number(numAffectedRows)
  })
}
