import { tokenOf } from './openadr-polls.ts'
import { against, type Measurement } from './support/measurement.ts'
import type { OpenadrBench } from './support/openadr.ts'
import { untilIdle } from './support/processes.ts'

const EVENTS = 10_000
const PAGE = 50
const ROUNDS = 3

/** Measures polls of a program with 10,000 events, against fetching and parsing its pages. */
export async function measureLongList(bench: OpenadrBench): Promise<Measurement[]> {
  const { demo, db, operate } = bench
  await operate({ kind: 'add', program: 'long', count: EVENTS, from: Date.now() + 48 * 3_600_000 })
  const token = await tokenOf(bench)
  const [first, unchanged, changed, floors]: [number[], number[], number[], number[]] = [[], [], [], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    floors.push(await barePages(bench, token))
    const programId = await cpuOf(bench, first, undefined)
    await cpuOf(bench, unchanged, programId)
    await operate({ kind: 'change', program: 'long', value: -1 - round })
    await cpuOf(bench, changed, programId)
    const { rows } = await db.query('SELECT FROM openadr_event WHERE program_id = $1', [programId])
    if (rows.length !== EVENTS) throw new Error(`the worker stored ${rows.length} of ${EVENTS} events`)
    await bench.admin.removeOpenadrProgram({ orgId: demo.orgId, programId })
  }
  const note = `CPU of worker and database, median of ${ROUNDS}; floor: fetching and parsing the pages`
  return [
    against(`first poll of a program with ${EVENTS} events`, first, 'ms', floors, note),
    against(`poll of ${EVENTS} events, nothing new`, unchanged, 'ms', floors, note),
    against(`poll of ${EVENTS} events, one of them changed`, changed, 'ms', floors, note),
  ]
}

/** Adds what the next poll of the program costs; without an id, of a new program. Returns its id. */
async function cpuOf(bench: OpenadrBench, costs: number[], known: string | undefined): Promise<string> {
  const { demo, db, until } = bench
  await untilIdle([demo.pids.worker])
  const datapointId = bench.equipment.points[2]?.datapointId ?? ''
  const before = await bench.cpu()
  const since = new Date()
  const programId = known ?? (await bench.follow(demo.orgId, 'long', { pollSeconds: 3600, datapointId }))
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

async function barePages({ vtn }: OpenadrBench, token: string): Promise<number> {
  const before = process.cpuUsage()
  let count = 0
  for (let skip = 0; skip < EVENTS; skip += PAGE) {
    const url = `${vtn.baseUrl}/events?programID=${vtn.programs.long}&skip=${skip}&limit=${PAGE}`
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    count += ((await answer.json()) as unknown[]).length
  }
  if (count !== EVENTS) throw new Error(`the VTN shows ${count} of ${EVENTS} events`)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
