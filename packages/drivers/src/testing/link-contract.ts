import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, test } from 'vitest'
import { type DriverRig, expectReadings, never, OFFLINE, ONE_LINE, reopen } from './driver-rig.ts'

type Make = () => Promise<DriverRig>

/** The tests about opening, losing and closing the link, and about the events that the listener receives. */
export function describeLink(start: Make, open: Make): void {
  describe.each(['silence', 'drop'] as const)('a link lost through %s', (loss) => describeLoss(loss, open))
  describe('the listener', () => describeEvents(open))
  describe('opening', () => describeOpening(start, open))
  describe('closing', () => describeClosing(start, open))
}

function describeLoss(loss: 'silence' | 'drop', open: Make): void {
  test('rejects reads, and works again after it is reopened', async () => {
    const rig = await open()
    await rig[loss]()
    await eventually(() => expect(rig.driver.read(rig.points)).rejects.toThrow(OFFLINE))
    await rig.heal()
    expect(await reopen(rig)).toEqual([{ raw: 11 }, { raw: 22 }])
  })

  test('rejects urgent reads', async () => {
    const rig = await open()
    await rig[loss]()
    await eventually(() => expect(rig.driver.read(rig.points, { urgent: true })).rejects.toThrow(OFFLINE))
  })

  test('rejects writes as offline, and accepts the next one after it is reopened', async () => {
    const rig = await open()
    const [a] = rig.points
    await rig[loss]()
    await expect(rig.driver.write(a, rig.driver.nearest(a, 7))).rejects.toThrow(OFFLINE)
    await rig.heal()
    await reopen(rig)
    await rig.driver.write(a, rig.driver.nearest(a, 8))
    await eventually(async () => expect(await rig.at(a)).toBe(rig.driver.nearest(a, 8)))
  })

  test('can be reopened after every loss', async () => {
    const rig = await open()
    for (let turn = 0; turn < 3; turn += 1) {
      await rig[loss]()
      await eventually(() => expect(rig.driver.read(rig.points)).rejects.toThrow(OFFLINE))
      await rig.heal()
      await reopen(rig)
    }
    if (rig.links) expect(rig.links()).toBeLessThanOrEqual(1)
  })

  test('can be closed, and reopened when the equipment is back', async () => {
    const rig = await open()
    await rig[loss]()
    await rig.driver.close()
    await rig.heal()
    expect(await reopen(rig)).toEqual([{ raw: 11 }, { raw: 22 }])
  })
}

function describeEvents(open: Make): void {
  test('receives nothing while everything works', async () => {
    const { driver, points, events } = await open()
    const [a] = points
    await driver.write(a, driver.nearest(a, 7))
    await driver.read(points, { urgent: true })
    expect(events).toMatchObject({ timeouts: 0, exceptions: 0, losses: [] })
  })

  test('receives each request that got no answer in time', async () => {
    const rig = await open()
    const [a] = rig.points
    await rig.silence()
    await expect(rig.driver.write(a, rig.driver.nearest(a, 7))).rejects.toThrow(OFFLINE)
    expect(rig.events).toMatchObject({ timeouts: 1, exceptions: 0 })
  })

  test('receives the loss of an idle link', async ({ skip }) => {
    const rig = await open()
    if (!rig.hasLink) return skip()
    await rig.drop()
    await eventually(() => expect(rig.events.losses).toEqual([expect.stringMatching(ONE_LINE)]))
    expect(rig.events).toMatchObject({ timeouts: 0, exceptions: 0 })
    await rig.heal()
    await reopen(rig)
    await rig.drop()
    await eventually(() => expect(rig.events.losses).toHaveLength(2))
  })

  test('receives no loss for a link that the caller closes, even during a request without an answer', async () => {
    const rig = await open()
    await rig.driver.close()
    await rig.driver.open(never)
    await rig.silence()
    const reading = rig.driver.read(rig.points, { urgent: true }).catch(() => {})
    await rig.driver.close()
    await reading
    expect(rig.events.losses).toEqual([])
  })
}

function describeOpening(start: Make, open: Make): void {
  test('is required before anything is read or written', async () => {
    const { driver, points, at } = await start()
    await expect(driver.read(points)).rejects.toThrow(OFFLINE)
    await expect(driver.write(points[0], driver.nearest(points[0], 7))).rejects.toThrow(OFFLINE)
    expect(await at(points[0])).toBe(11)
  })

  test('an open link changes nothing', async () => {
    const rig = await open()
    await rig.driver.open(never)
    await expectReadings(rig, { raw: 11 }, { raw: 22 })
    if (rig.links) expect(rig.links()).toBe(1)
  })

  test('rejects when it was aborted before it began, and leaves nothing open', async () => {
    const rig = await start()
    await expect(rig.driver.open(AbortSignal.abort())).rejects.toThrow(OFFLINE)
    await expect(rig.driver.read(rig.points)).rejects.toThrow(OFFLINE)
    await expectNoLinks(rig)
    expect(await reopen(rig)).toEqual([{ raw: 11 }, { raw: 22 }])
  })

  test('rejects when it is aborted halfway, and leaves nothing open', async () => {
    const rig = await start()
    const abort = new AbortController()
    const opening = rig.driver.open(abort.signal)
    abort.abort()
    await expect(opening).rejects.toThrow(OFFLINE)
    await expect(rig.driver.read(rig.points)).rejects.toThrow(OFFLINE)
    await expectNoLinks(rig)
    expect(await reopen(rig)).toEqual([{ raw: 11 }, { raw: 22 }])
  })
}

function describeClosing(start: Make, open: Make): void {
  test('ends reads and writes, can be repeated, and can be undone by opening', async () => {
    const rig = await open()
    const { driver, points } = rig
    await driver.close()
    await driver.close()
    await expect(driver.read(points)).rejects.toThrow(OFFLINE)
    await expect(driver.write(points[0], driver.nearest(points[0], 7))).rejects.toThrow(OFFLINE)
    await expectNoLinks(rig)
    await driver.open(never)
    await expectReadings(rig, { raw: 11 }, { raw: 22 })
  })

  test('a driver that was never open does nothing', async () => {
    const rig = await start()
    await expect(rig.driver.close()).resolves.toBeUndefined()
    await expectNoLinks(rig)
    expect(await reopen(rig)).toEqual([{ raw: 11 }, { raw: 22 }])
  })

  test('cancels an opening in progress, and leaves nothing open', async () => {
    const rig = await start()
    const isSettled = watch(rig.driver.open(never))
    await rig.driver.close()
    await runPendingWork()
    expect(isSettled()).toBe(true)
    await expect(rig.driver.read(rig.points)).rejects.toThrow(OFFLINE)
    await expectNoLinks(rig)
  })

  test('ends reads and writes that wait for an answer', async () => {
    const rig = await open()
    const [a] = rig.points
    await rig.silence()
    const pending = [
      rig.driver.read(rig.points),
      rig.driver.read(rig.points, { urgent: true }),
      rig.driver.write(a, rig.driver.nearest(a, 7)),
    ].map(watch)
    await runPendingWork()
    await rig.driver.close()
    await runPendingWork()
    expect(pending.map((isSettled) => isSettled())).toEqual([true, true, true])
  })
}

const expectNoLinks = ({ links }: DriverRig) => eventually(() => expect(links?.() ?? 0).toBe(0))

function watch(work: Promise<unknown>): () => boolean {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  work.then(settle, settle)
  return () => isSettled
}

/** Lets pending work finish without any time passing. */
async function runPendingWork(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
