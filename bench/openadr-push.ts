import { against, type Measurement } from './support/measurement.ts'
import type { OpenadrBench } from './support/openadr.ts'
import { openPartner } from './support/partner.ts'
import { untilIdle } from './support/processes.ts'
import { quantile } from './support/statistics.ts'

const ROUNDS = 20
const LENGTH_MS = 10 * 60_000

/** Measures how long after its change at a VTN an event is in the register, against a dispatch at the API. */
export async function measurePush(bench: OpenadrBench): Promise<Measurement[]> {
  const { demo, equipment, db, operate, until } = bench
  const [pushed, dispatched] = equipment.points
  if (!pushed || !dispatched) throw new Error('the equipment has too few datapoints')
  const writtenAt = async (register: number, value: number): Promise<number> => {
    const found = () => equipment.writes.findLast((write) => write.register === register && write.value === value)
    await until(`the value ${value} in register ${register}`, () => found() !== undefined)
    return found()?.at ?? Number.NaN
  }
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
  await writtenAt(pushed.register, 1001)

  const partner = await openPartner(demo)
  const [times, floors]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    const value = 2000 + round
    await untilIdle(Object.values(demo.pids))
    const { at } = await operate({ kind: 'change', program: 'pushed', value })
    times.push((await writtenAt(pushed.register, value)) - at)
    await untilIdle(Object.values(demo.pids))
    const from = Date.now()
    await partner.dispatch({ datapointId: dispatched.datapointId, value, from, lengthMs: LENGTH_MS })
    floors.push((await writtenAt(dispatched.register, value)) - from)
  }
  partner.close()
  const at = (share: number, values: readonly number[]) => [quantile(values, share)]
  const note = `${ROUNDS} changes, each announced to the webhook; floor: a dispatch at the API`
  return [
    against('change at the VTN to register p50', at(0.5, times), 'ms', at(0.5, floors), note),
    against('change at the VTN to register p95', at(0.95, times), 'ms', at(0.95, floors), `${note}; target: 1000`),
  ]
}
