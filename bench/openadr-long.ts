import { tokenOf } from './openadr-polls.ts'
import type { BenchVtn } from './openadr-vtn.ts'
import { against, type Measurement } from './support/measurement.ts'
import type { OpenadrBench } from './support/openadr.ts'
import { untilIdle } from './support/processes.ts'

const PAGE = 50

/** A program with a long list: each event begins an hour after the one before, and has so many intervals of an hour. */
interface Long {
  readonly program: keyof BenchVtn['programs']
  readonly events: number
  readonly intervals: number
  readonly rounds: number
  readonly note: string
}
const DAYS: Long = { program: 'days', events: 1_000, intervals: 24, rounds: 3, note: '; target: 1000' }
const MOST: Long = { program: 'long', events: 10_000, intervals: 1, rounds: 1, note: '' }

/** Measures polls of programs with many events, against fetching and parsing their pages. */
export async function measureLongLists(bench: OpenadrBench): Promise<Measurement[]> {
  return [...(await measureLong(bench, DAYS)), ...(await measureLong(bench, MOST))]
}

async function measureLong(bench: OpenadrBench, long: Long): Promise<Measurement[]> {
  const { demo, db, operate } = bench
  const { program, events, intervals, rounds } = long
  await operate({ kind: 'add', program, count: events, intervals, from: Date.now() })
  const token = await tokenOf(bench)
  const [first, unchanged, changed, floors]: [number[], number[], number[], number[]] = [[], [], [], []]
  for (let round = 0; round < rounds; round += 1) {
    floors.push(await barePages(bench, long, token))
    const programId = await cpuOf(bench, long, first, undefined)
    await cpuOf(bench, long, unchanged, programId)
    await operate({ kind: 'change', program, value: -1 - round })
    await cpuOf(bench, long, changed, programId)
    const { rows } = await db.query('SELECT FROM openadr_event WHERE program_id = $1', [programId])
    if (rows.length !== events) throw new Error(`the worker stored ${rows.length} of ${events} events`)
    await bench.admin.removeOpenadrProgram({ orgId: demo.orgId, programId })
  }
  const what = intervals === 1 ? `${events} events` : `${events} events of ${intervals} intervals`
  const note = `CPU of worker and database, median of ${rounds}; floor: fetching and parsing the pages${long.note}`
  return [
    against(`first poll of ${what}`, first, 'ms', floors, note),
    against(`poll of ${what}, nothing new`, unchanged, 'ms', floors, note),
    against(`poll of ${what}, one of them changed`, changed, 'ms', floors, note),
  ]
}

/** Adds what the next poll of the program costs; without an id, of a new program. Returns its id. */
async function cpuOf(bench: OpenadrBench, { program }: Long, costs: number[], known: string | undefined) {
  const { demo, db, until } = bench
  await untilIdle([demo.pids.worker])
  const datapointId = bench.equipment.points[2]?.datapointId ?? ''
  const before = await bench.cpu()
  const since = new Date()
  const programId = known ?? (await bench.follow(demo.orgId, program, { pollSeconds: 3600, datapointId }))
  if (known !== undefined)
    await db.query('UPDATE openadr_program SET poll_at = now(), due_at = now() WHERE id = $1', [known])
  await until('a poll', async () => {
    const { rows } = await db.query<{ polled_at: Date | null; problem: string | null }>(
      'SELECT polled_at, problem FROM openadr_program WHERE id = $1',
      [programId],
    )
    const [row] = rows
    if (row?.problem) throw new Error(row.problem)
    return row?.polled_at !== null && row?.polled_at !== undefined && row.polled_at > since
  })
  costs.push((await bench.cpu()) - before)
  return programId
}

async function barePages({ vtn }: OpenadrBench, { program, events }: Long, token: string): Promise<number> {
  const before = process.cpuUsage()
  let count = 0
  for (let skip = 0; skip < events; skip += PAGE) {
    const url = `${vtn.baseUrl}/events?programID=${vtn.programs[program]}&skip=${skip}&limit=${PAGE}`
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    count += ((await answer.json()) as unknown[]).length
  }
  if (count !== events) throw new Error(`the VTN shows ${count} of ${events} events`)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
