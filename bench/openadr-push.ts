import { against, type Measurement } from './support/measurement.ts'
import type { OpenadrBench } from './support/openadr.ts'
import { openPartner } from './support/partner.ts'
import { untilIdle } from './support/processes.ts'
import { quantile } from './support/statistics.ts'

const ROUNDS = 20
const LENGTH_MS = 10 * 60_000

/** Measures how long after its change at a VTN, or the poll that saw it, an event is in the register, against a dispatch. */
export async function measurePush(bench: OpenadrBench): Promise<Measurement[]> {
  const { demo, equipment, db, operate } = bench
  const [pushed, dispatched] = equipment.points
  if (!pushed || !dispatched) throw new Error('the equipment has too few datapoints')
  await operate({ kind: 'add', program: 'pushed', count: 1, from: Date.now() - 60_000 })
  const { datapointId } = pushed
  const programId = await bench.follow(demo.orgId, 'pushed', { pollSeconds: 3600, datapointId })
  await operate({ kind: 'change', program: 'pushed', value: 1000 })
  const { rows } = await db.query<{ notify_token: string }>('SELECT notify_token FROM openadr_program WHERE id = $1', [
    programId,
  ])
  const callbackUrl = `${demo.baseUrl}/api/openadr/notifications/${rows[0]?.notify_token}`
  await operate({ kind: 'announce', program: 'pushed', callbackUrl })
  await operate({ kind: 'change', program: 'pushed', value: 1001 })
  await writtenAt(bench, pushed.register, 1001)

  const partner = await openPartner(demo)
  const [times, floors]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    const value = 2000 + round
    await untilIdle(Object.values(demo.pids))
    const { at } = await operate({ kind: 'change', program: 'pushed', value })
    times.push((await writtenAt(bench, pushed.register, value)) - at)
    await untilIdle(Object.values(demo.pids))
    const from = Date.now()
    await partner.dispatch({ datapointId: dispatched.datapointId, value, from, lengthMs: LENGTH_MS })
    floors.push((await writtenAt(bench, dispatched.register, value)) - from)
  }
  partner.close()
  const polled = await pollTimes(bench)
  const at = (share: number, values: readonly number[]) => [quantile(values, share)]
  const note = `${ROUNDS} changes, each announced to the webhook; floor: a dispatch at the API`
  const ofPoll = `${ROUNDS} changes, counted from the answer of the VTN; floor: a dispatch at the API`
  return [
    against('change at the VTN to register p50', at(0.5, times), 'ms', at(0.5, floors), note),
    against('change at the VTN to register p95', at(0.95, times), 'ms', at(0.95, floors), `${note}; target: 1000`),
    against('poll that saw a change to register p50', at(0.5, polled), 'ms', at(0.5, floors), ofPoll),
    against(
      'poll that saw a change to register p95',
      at(0.95, polled),
      'ms',
      at(0.95, floors),
      `${ofPoll}; target: 1000`,
    ),
  ]
}

/** How long after the VTN answered a poll with a change it is in the register. */
async function pollTimes(bench: OpenadrBench): Promise<number[]> {
  const { demo, equipment, db, operate, until } = bench
  const point = equipment.points[3]
  if (!point) throw new Error('the equipment has too few datapoints')
  await operate({ kind: 'add', program: 'polled', count: 1, from: Date.now() - 60_000 })
  const programId = await bench.follow(demo.orgId, 'polled', { pollSeconds: 3600, datapointId: point.datapointId })
  await until('the first poll', async () => {
    const { rows } = await db.query('SELECT FROM openadr_program WHERE id = $1 AND polled_at IS NOT NULL', [programId])
    return rows.length > 0
  })
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const value = 3000 + round
    await untilIdle(Object.values(demo.pids))
    await operate({ kind: 'change', program: 'polled', value })
    const answered = operate({ kind: 'answer' })
    await db.query('UPDATE openadr_program SET poll_at = now(), due_at = now() WHERE id = $1', [programId])
    const { at } = await answered
    times.push((await writtenAt(bench, point.register, value)) - at)
  }
  return times
}

async function writtenAt({ equipment, until }: OpenadrBench, register: number, value: number): Promise<number> {
  const found = () => equipment.writes.findLast((write) => write.register === register && write.value === value)
  await until(`the value ${value} in register ${register}`, () => found() !== undefined)
  return found()?.at ?? Number.NaN
}
