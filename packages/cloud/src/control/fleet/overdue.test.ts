import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, test } from 'vitest'
import type { DeviceTasks } from '../devices/index.ts'
import { serveFleet } from './fleet-tasks.ts'
import type { TargetStore } from './target-store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** What is overdue is ended by both kinds of tasks; the store remembers what it was asked for. */
function open({ nextDeadline, isBehind = false }: { nextDeadline?: Date; isBehind?: boolean } = {}) {
  const clock = createManualClock()
  const asked: unknown[][] = []
  const remember =
    (name: string) =>
    async (...args: unknown[]) => {
      asked.push([name, ...args.map((arg) => (arg instanceof Date ? arg.getTime() - clock.now() : arg))])
      return isBehind
    }
  const store = {
    endOverdueReleases: remember('end releases'),
    splitLost: async () => {},
    removeOld: remember('remove'),
    expire: remember('expire'),
    nextDeadline: async () => nextDeadline,
  } as unknown as TargetStore
  const ends: (() => Promise<Date | undefined>)[] = []
  const serve = ((kind: { endOverdue(): Promise<Date | undefined> }) => {
    ends.push(kind.endOverdue)
  }) as unknown as DeviceTasks['serve']
  serveFleet({ serve }, { store, link: {} as never, isActive: () => true, clock, log: createLog('test', 'silent') })
  const [endReleases, endPlacements] = ends
  return { clock, asked, endReleases, endPlacements }
}

test('a dispatch ends a quarter of a second after its deadline, so that the last replies count', async () => {
  const deadline = new Date(Date.UTC(2030, 0, 1))
  const { asked, endPlacements } = open({ nextDeadline: deadline })
  expect(await endPlacements?.()).toEqual(new Date(deadline.getTime() + 250))
  expect(asked).toEqual([['expire', 0, -250]])
  expect(await open().endPlacements?.()).toBeUndefined()
})

test('releases that one call leaves over are ended at once, not at the next sweep', async () => {
  const { clock, endReleases } = open({ isBehind: true })
  expect(await endReleases?.()).toEqual(new Date(clock.now()))
  expect(await open().endReleases?.()).toBeUndefined()
})

test('old dispatches are removed every 10 minutes: after 90 days, and beyond a million targets', async () => {
  const { clock, asked, endReleases } = open()
  await clock.advance(10 * MINUTE_MS - 1)
  await endReleases?.()
  expect(asked.splice(0)).toEqual([['end releases', 0]])
  for (let round = 0; round < 2; round += 1) {
    await clock.advance(round === 0 ? 1 : 10 * MINUTE_MS)
    await endReleases?.()
    expect(asked.splice(0)).toEqual([
      ['end releases', 0],
      ['remove', 0, -90 * DAY_MS, 1_000_000],
    ])
    await endReleases?.()
    expect(asked.splice(0)).toEqual([['end releases', 0]])
  }
})
