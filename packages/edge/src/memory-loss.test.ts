import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { ControlState } from '@plantroom/contract/control-state'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { describe, expect, test } from 'vitest'
import { asideIn } from './store/aside.ts'
import type { Controller } from './testing/controller.ts'
import { aPowerController, auditLines } from './testing/power-controller.ts'
import { canMount, createSmallDisk } from './testing/small-disk.ts'

const register = ({ equipment }: Controller) => equipment.points.get('power')

/** What the cloud gives back, from the last state that it kept. */
async function giveBack(controller: Controller, kept: ControlState, replacementId = 'rpl_1'): Promise<unknown[]> {
  const { id = '', run = '' } = controller.state?.memory ?? {}
  const last = controller.reports.at(-1)
  const control = {
    at: formatTimestamp(controller.clock.now()),
    overrides: kept.overrides.map(({ state, ...one }) => ({
      ...{ seq: 0, placedByName: '', reason: '', ...one, ...kept.notes?.overrides[one.id] },
      applied: state !== 'queued',
    })),
    holds: kept.holds.map(({ datapointId, by, value, overrideId, beneath }) => {
      const plain = kept.notes?.plain[datapointId]
      return { datapointId, by, value, overrideId, ...(plain && { plain }), plainValue: beneath.value }
    }),
    audit: last ? { seq: last.seq, hash: 'ab'.repeat(32) } : null,
  }
  const outcomes: unknown[] = []
  for (const [index, content] of [{ technicalSystem: controller.system }, { control }].entries()) {
    const head = { replacementId, part: index + 1, parts: 2, memory: { id, run } }
    const reply = (await controller.call('restore', { ...head, ...content })) as { outcome: string }
    outcomes.push(reply.outcome)
    if (reply.outcome !== 'waiting') break
  }
  if (controller.asksForRestart) await controller.restart()
  return outcomes
}

/** A controller that holds 20 for ten minutes, and the state that the cloud has of it. */
async function aHoldingController(about: Parameters<typeof aPowerController>[0] = {}) {
  const controller = await aPowerController(about)
  const id = await controller.override('power', 20, 0, 600)
  await controller.pass(10)
  expect(register(controller)).toBe(20)
  return { controller, id, kept: controller.state as ControlState }
}

const DAMAGES: [string, (folder: string) => void, RegExp][] = [
  [
    'a truncated log',
    (folder) => truncateSync(join(folder, 'journal.db-wal'), 9_000),
    /the end of the journal is missing/,
  ],
  ['no log', (folder) => rmSync(join(folder, 'journal.db-wal')), /missing|damaged/],
  ['no journal', (folder) => rmSync(join(folder, 'journal.db')), /the journal is missing/],
  [
    'a journal full of garbage',
    (folder) => {
      const file = openSync(join(folder, 'journal.db'), 'r+')
      // Beyond the first page, in every page: what is in the log covers some of them.
      const size = statSync(join(folder, 'journal.db')).size
      for (let at = 4096; at < size; at += 4096) writeSync(file, Buffer.alloc(2000, 0xa5), 0, 2000, at)
      closeSync(file)
    },
    /damaged/,
  ],
]

describe('a controller that lost its memory', () => {
  test.each(DAMAGES)(
    'with %s says so, keeps the files, takes nothing, and goes on with what it gets back',
    async (...given) => {
      const [, damage, reason] = given
      const { controller, kept } = await aHoldingController()
      // Part of the journal is in the file, part in its log.
      await controller.restart()
      await controller.pass(40)
      await controller.crash(0, damage)
      expect(controller.state?.memory?.lost).toMatch(reason)
      expect(asideIn(controller.folder)).toHaveLength(1)
      await expect(controller.override('power', 30, 0, 60)).rejects.toThrow(/lost its memory|not loaded/)

      expect(await giveBack(controller, kept)).toEqual(['waiting', 'restored'])
      expect(register(controller)).toBe(20)
      expect(controller.state?.memory?.lost).toBeUndefined()
      expect(controller.state?.overrides.map(({ id }) => id)).toEqual(kept.overrides.map(({ id }) => id))
      await controller.pass(600)
      expect(register(controller)).toBe(10)
      expect(auditLines(controller).at(-1)).toMatch(/^released \(ended\) 10 > 10/)
    },
  )

  test('releases what may have been cancelled in the part that is missing, also without the cloud', async () => {
    const { controller, id } = await aHoldingController()
    await controller.restart()
    await controller.cancel(id)
    expect(register(controller)).toBe(10)
    controller.uplink = false
    await controller.crash(0, (folder) => rmSync(join(folder, 'journal.db-wal')))
    await controller.pass(5)
    expect(register(controller)).toBe(10)
  })

  test('sets equipment back that was held by an override which ended meanwhile', async () => {
    const { controller, kept } = await aHoldingController()
    await controller.crash(601, (folder) => {
      for (const name of readdirSync(folder)) rmSync(join(folder, name))
    })
    expect(register(controller)).toBe(20)
    expect(controller.state?.memory?.id).not.toBe(kept.memory?.id)
    await giveBack(controller, kept)
    expect(register(controller)).toBe(10)
  })

  test('as an older copy is given the newer state once, unless it has accepted an override since', async () => {
    const { controller, kept } = await aHoldingController()
    await controller.crash()
    // The cloud saw that this run began with an older memory.
    expect(await giveBack(controller, kept)).toEqual(['waiting', 'restored'])
    expect(await giveBack(controller, kept)).toEqual(['restored'])
    await controller.restart()
    await controller.override('power', 30, 0, 60)
    expect(await giveBack(controller, kept, 'rpl_2')).toEqual(['kept'])
    expect(register(controller)).toBe(30)
  })

  test('after a clean stop or a power cut has lost nothing, and counts on', async () => {
    const { controller, kept } = await aHoldingController()
    const before = kept.memory
    await controller.restart()
    await controller.crash()
    const after = controller.state?.memory
    expect(after).toMatchObject({ id: before?.id })
    expect(after?.lost).toBeUndefined()
    expect(after?.from).toBeGreaterThan(before?.count ?? 0)
    expect(asideIn(controller.folder)).toEqual([])
  })
})

describe('a journal that is removed while the controller runs', () => {
  test.each([
    ['with its log', ['journal.db', 'journal.db-wal']],
    ['alone', ['journal.db']],
    ['with everything beside it', ['journal.db', 'journal.db-wal', 'journal.mark', 'reserve']],
  ])('%s is put back, and nothing new is accepted until then', async (_, names) => {
    const { controller } = await aHoldingController()
    for (const name of names) rmSync(join(controller.folder, name))
    await expect(controller.override('power', 30, 0, 60)).rejects.toThrow('its journal was removed from the disk')
    expect(register(controller)).toBe(20)
    await controller.pass(30)
    expect(controller.health?.journalTrouble).toMatch(/removed/)
    expect(controller.asksForRestart).toBe(true)
    await controller.restart()
    expect(controller.state?.memory?.lost).toBeUndefined()
    await controller.pass(5)
    expect(controller.health?.journalTrouble).toBeNull()
    expect(register(controller)).toBe(20)
    await controller.override('power', 30, 0, 60)
    expect(register(controller)).toBe(30)
    await controller.pass(600)
    expect(register(controller)).toBe(10)
  })

  test('keeps what changes between the copy and the stop', async () => {
    const { controller, id } = await aHoldingController()
    rmSync(join(controller.folder, 'journal.db'))
    await controller.pass(30)
    await controller.cancel(id)
    await controller.restart()
    expect(controller.state?.overrides).toEqual([])
    expect(register(controller)).toBe(10)
  })
})

describe.runIf(canMount)('a controller whose disk is read-only at the start', () => {
  const remount = (folder: string, how: 'ro' | 'rw') =>
    execFileSync('mount', ['-o', `remount,${how}`, folder], { stdio: 'pipe' })

  test('ends what ends, cancels, takes nothing new, says so, and keeps it all when the disk is back', async () => {
    const disk = createSmallDisk('16m')
    const { controller, id } = await aHoldingController({ folder: disk.folder })
    await controller.stop()
    remount(disk.folder, 'ro')
    await controller.restart()
    expect(register(controller)).toBe(20)
    await expect(controller.override('power', 30, 0, 60)).rejects.toThrow('its disk is read-only')
    await controller.pass(5)
    expect(controller.health?.journalTrouble).toBe('its disk is read-only')
    await controller.cancel(id)
    expect(register(controller)).toBe(10)
    remount(disk.folder, 'rw')
    await controller.pass(30)
    expect(controller.asksForRestart).toBe(true)
    await controller.restart()
    expect(controller.state).toMatchObject({ holds: [], overrides: [] })
    expect(controller.state?.memory?.lost).toBeUndefined()
    await controller.override('power', 30, 0, 60)
    expect(register(controller)).toBe(30)
  })

  test('releases what ended while it was off', async () => {
    const disk = createSmallDisk('16m')
    const { controller } = await aHoldingController({ folder: disk.folder })
    await controller.stop()
    remount(disk.folder, 'ro')
    await controller.restart(601)
    expect(register(controller)).toBe(10)
  })
})
