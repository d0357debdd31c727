import type { BenchEquipment } from './dispatch-equipment.ts'
import { commandRequest, type Demo, dispatchBody } from './support/demo.ts'
import { sendTimes } from './support/load.ts'
import { against, alone, type Measurement } from './support/measurement.ts'
import { openPartner } from './support/partner.ts'
import { cpuMs, untilIdle } from './support/processes.ts'
import { median } from './support/statistics.ts'

const LEVELS = [10, 1_000, 9_000]
const ROUNDS = 5
const TIMES = 40
const FILL_CALLERS = 32
const WINDOW_MS = 10 * 60_000
const FILL_VALUE = 1_000

/** Medians in ms. */
interface Round {
  poll: number
  dispatch: number
  cancel: number
  cpu: number
}

/**
 * Measures the cost of a dispatch on a datapoint with more and more overrides, against a values poll that takes the
 * same path. Cancels each dispatch, so the level stays. Leaves the overrides behind.
 */
export async function measureHeld(demo: Demo, { connectionId, points }: BenchEquipment): Promise<Measurement[]> {
  const datapointId = points[0]?.datapointId ?? ''
  const setpoint = (value: number) => ({ datapointId, value, from: Date.now(), lengthMs: WINDOW_MS })
  const partner = await openPartner(demo)

  async function oneRound(): Promise<Round> {
    const polls = await timesOf(() => partner.values(connectionId))
    const cancels: number[] = []
    const cpuBefore = cpuMs(demo.pids.edge)
    const dispatches = await timesOf(
      (time) => partner.dispatch(setpoint(time)),
      async (id) => {
        const from = performance.now()
        await partner.cancel(id)
        cancels.push(performance.now() - from)
      },
    )
    const cpu = (cpuMs(demo.pids.edge) - cpuBefore) / TIMES
    return { poll: median(polls), dispatch: median(dispatches), cancel: median(cancels), cpu }
  }

  const fill = commandRequest(demo, 'demandResponseOverride', () => dispatchBody(setpoint(FILL_VALUE)))
  const measurements: Measurement[] = []
  let held = 0
  for (const level of LEVELS) {
    await sendTimes(fill, FILL_CALLERS, level - held)
    held = level
    await untilIdle(Object.values(demo.pids))
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await oneRound())
    const all = (name: keyof Round) => rounds.map((round) => round[name])
    const at = `${level} windows held on the datapoint, median of ${ROUNDS} rounds of ${TIMES}`
    measurements.push(
      against(
        `dispatch p50 at ${level} vs poll`,
        all('dispatch'),
        'ms',
        all('poll'),
        `${at}; target: the same at each`,
      ),
      alone(`cancel p50 at ${level}`, median(all('cancel')), 'ms', at),
      alone(`edge CPU at ${level}`, median(all('cpu')), 'ms', `${at}; of a dispatch and its cancel, including writes`),
    )
  }
  partner.close()
  return measurements
}

/** One at a time, each followed by an uncounted action. */
async function timesOf<Result>(
  action: (time: number) => Promise<Result>,
  uncounted: (result: Result) => Promise<void> = async () => {},
): Promise<number[]> {
  const times: number[] = []
  for (let time = 0; time < TIMES; time += 1) {
    const from = performance.now()
    const result = await action(time)
    times.push(performance.now() - from)
    await uncounted(result)
  }
  return times
}
