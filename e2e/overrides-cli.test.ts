import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { openDatabase } from '@plantroom/cloud/db/database'
import { awaitEmbeddedPostgres } from '@plantroom/cloud/db/embedded/find-server'
import type { ReportEntry } from '@plantroom/contract/reports'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dispatcher, dispatcherOf } from './support/dispatcher.ts'
import { eventually } from './support/eventually.ts'
import { plantroom, type Ran } from './support/run.ts'
import { operatorShell, partnerShell } from './support/shell.ts'
import { type Stack, startStack } from './support/stack.ts'

const POWER = 'Charge power'

let stack: Stack
let dispatcher: Dispatcher

beforeAll(async () => {
  stack = await startStack()
  dispatcher = dispatcherOf(stack)
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const dr = (...args: string[]) => plantroom(['dr', ...args], partnerShell(stack))
const onInverter = () => ['--connection', stack.connectionId('Inverter')]

function printed<Result>({ code, stdout, stderr }: Ran): Result {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Result
}

describe('plantroom dr', () => {
  test('places an override by the name of the datapoint, and cancels it', async () => {
    const held = await dr('override', POWER, '-20', '--for', '10m', '--json')
    const { id } = printed<{ id: string }>(held)
    await dispatcher.registerBecomes(POWER, -20)
    expect(printed(await dr('cancel', id, '--json'))).toMatchObject({ id, success: true })
    await dispatcher.registerBecomes(POWER, 5)
    expect((await dr('cancel', id)).code).toBe(0)
  })

  test('lists what it placed, and cancels it by the name of the datapoint', async () => {
    const { id } = printed<{ id: string }>(await dr('override', POWER, '-20', '--for', '10m', '--json'))
    await dispatcher.registerBecomes(POWER, -20)
    expect(printed(await dr('list', '--json'))).toMatchObject([{ id, datapoint: POWER, value: -20, state: 'active' }])
    expect(printed(await dr('cancel', POWER, '--json'))).toMatchObject({ id, success: true })
    expect(printed(await dr('list', '--json'))).toEqual([])
    await dispatcher.registerBecomes(POWER, 5)
  })

  test('prints until when the override lasts, or when it starts', async () => {
    const now = await dr('override', stack.datapointId(POWER), '9', '--for', '90s', ...onInverter())
    expect(now).toMatchObject({ code: 0, stderr: '' })
    expect(now.stdout).toMatch(/^override \S+ is active until \S+Z \(1 min 30 s\)\n$/)
    const from = new Date(Date.now() + 3_600_000).toISOString()
    const later = await dr('override', POWER, '8', '--from', from, '--for', '15m', ...onInverter())
    expect(later.stdout).toMatch(/^override \S+ is queued from \S+Z until \S+Z \(15 min\)\n$/)
    await dispatcher.registerBecomes(POWER, 9)
    for (const { stdout } of [now, later]) expect((await dr('cancel', stdout.split(' ')[1] ?? '')).code).toBe(0)
    await dispatcher.registerBecomes(POWER, 5)
  })

  test('does not send a value outside the envelope unless forced', async () => {
    const refused = await dr('override', POWER, '60', '--for', '10m')
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^plantroom dr: 60 is outside -50 to 50.*use --force to send it anyway\n$/)
    expect(await dispatcher.live(POWER)).not.toHaveProperty('locked')

    const forced = await dr('override', POWER, '60', '--for', '10m', ...onInverter(), '--force', '--json')
    const { id } = printed<{ id: string }>(forced)
    await dispatcher.registerBecomes(POWER, 60)
    await dr('cancel', id)
    await dispatcher.registerBecomes(POWER, 5)
  })

  test('exits with 1 and the message of the controller when that rejects the command', async () => {
    const { code, stdout, stderr } = await dr('override', POWER, '20', '--for', '25h', ...onInverter())
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^plantroom dr: .*24 hours.*499 DEVICE_REJECTED.*\n$/)
  })

  test('places a repeated override once', async () => {
    const from = new Date().toISOString()
    const line = ['override', POWER, '17', '--from', from, '--for', '10m', '--req-id', crypto.randomUUID(), '--json']
    const first = printed<{ id: string }>(await dr(...line, ...onInverter()))
    expect(printed(await dr(...line, ...onInverter()))).toEqual(first)
    await dispatcher.registerBecomes(POWER, 17)
    await dr('cancel', first.id)
    await dispatcher.registerBecomes(POWER, 5)
  })
})

describe('plantroom fleet', () => {
  const fleet = (...args: string[]) => plantroom(['fleet', ...args], partnerShell(stack))

  test('holds datapoints by their tag, shows them, and releases all of them', async () => {
    const held = await fleet(
      'dispatch',
      '--tag',
      'battery.charge-power',
      '--total-kw',
      '-15.5',
      '--for',
      '10m',
      '--json',
    )
    const { id, state, counts, outcomes } = printed<{
      id: string
      state: string
      counts: object
      outcomes: { datapointId: string; overrideId: string; reqId: string }[]
    }>(held)
    expect([state, counts]).toEqual(['completed', expect.objectContaining({ accepted: 1, pending: 0 })])
    await dispatcher.registerBecomes(POWER, -15.5)
    expect(outcomes).toMatchObject([{ datapointId: stack.datapointId(POWER), outcome: 'accepted' }])
    const [applied] = await dispatcher.reportsOn(outcomes[0]?.overrideId ?? '', 1)
    expect(applied).toMatchObject({ value: -15.5, reqId: outcomes[0]?.reqId, placedBy: { name: 'Test partner' } })
    expect((await fleet('status', id)).stdout).toBe(`dispatch ${id} is completed: 1 accepted\n`)

    expect(printed(await fleet('cancel', id, '--json'))).toMatchObject({ state: 'cancelled', releasing: 0 })
    await dispatcher.registerBecomes(POWER, 5)
    expect((await fleet('cancel', id)).code).toBe(0)
    expect((await fleet('status', id)).code).toBe(1)
  })

  test('is a failure for whoever selects nothing', async () => {
    const { code, stderr } = await fleet('dispatch', '--tag', 'nothing', '--value', '0', '--for', '10m')
    expect(code).toBe(1)
    const reason = 'no writable datapoint that you may control matches the selection: check ids and tags'
    // Nothing was stored, so there is nothing to repeat safely.
    expect(stderr).toBe(`plantroom fleet: ${reason} (400 INVALID from ${stack.cloud.ready.baseUrl})\n`)
  })
})

describe('plantroom reports', () => {
  test.each([
    ['an operator', operatorShell],
    ['a partner', partnerShell],
  ])('shows to %s what was done, the newest first', async (_who, shell) => {
    const { id } = printed<{ id: string }>(await dr('override', POWER, '-7', '--for', '10m', ...onInverter(), '--json'))
    await dispatcher.registerBecomes(POWER, -7)
    await dr('cancel', id, '--reason', 'price fell')
    await dispatcher.reportsOn(id, 2)

    const query = ['reports', '--code', '4005', '--datapoint', stack.datapointId(POWER), '--limit', '2']
    const [released, applied, ...others] = printed<ReportEntry[]>(await plantroom([...query, '--json'], shell(stack)))
    expect(others).toEqual([])
    const cancelledBy = { name: 'Test partner', reason: 'price fell' }
    expect(released).toMatchObject({ overrideId: id, phase: 'released', reason: 'cancelled', value: 5, cancelledBy })
    expect(applied).toMatchObject({ overrideId: id, phase: 'applied', valueBefore: 5, value: -7, readBack: -7 })

    const { code, stdout } = await plantroom(query, shell(stack))
    expect(code).toBe(0)
    const by = ' +Test partner +'
    const lines = [
      `4005 +released +cancelled .* ${id}${by}Test partner \\(price fell\\)`,
      `4005 +applied +window .* ${id}${by}-`,
    ]
    expect(stdout).toMatch(new RegExp(`${lines.join('\n.*')}\n`))
    expect(stdout).toContain('older reports')
  })

  test('prints nothing about peak shaving when there is none', async () => {
    await eventually(async () => {
      const { code, stdout } = await plantroom(['reports', '--code', '4000'], operatorShell(stack))
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'no reports\n' })
    })
  })
})

describe('plantroom audit', () => {
  const audit = (...args: string[]) => plantroom(['audit', ...args], operatorShell(stack))
  const fileOf = (name: string) => join(stack.folder, name)

  /** Exports once the newest entry is of this override's release. */
  async function exportAfter(overrideId: string, file: string): Promise<string[]> {
    return await eventually(async () => {
      expect(await audit('export', file, '--device', stack.deviceId)).toMatchObject({ code: 0, stderr: '' })
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
      const newest = JSON.parse(JSON.parse(lines.at(-2) ?? '{}').entry ?? '{}')
      const by = { name: 'Test partner' }
      expect(newest).toMatchObject({ overrideId, phase: 'released', placedBy: by, cancelledBy: by })
      return lines
    })
  }

  async function placeAndCancel(value: string): Promise<string> {
    const { id } = printed<{ id: string }>(
      await dr('override', POWER, value, '--for', '10m', ...onInverter(), '--json'),
    )
    await dispatcher.registerBecomes(POWER, Number(value))
    await dr('cancel', id)
    await dispatcher.registerBecomes(POWER, 5)
    return id
  }

  test('verifies an export without the service, across a restart, and names what was tampered with', async () => {
    await placeAndCancel('11')
    await stack.edge.kill()
    await stack.edge.start()
    const id = await eventually(() => placeAndCancel('12'))
    const lines = await exportAfter(id, fileOf('audit.ndjson'))
    const trust = (await audit('key')).stdout.trim()
    const intact = await plantroom(['audit', 'verify', fileOf('audit.ndjson'), '--trust', trust])
    expect(intact).toMatchObject({ code: 0, stderr: '' })
    expect(intact.stdout).toContain(`intact: ${lines.length - 2} entries of device ${stack.deviceId}, 1 to`)
    const unvouched = await plantroom(['audit', 'verify', fileOf('audit.ndjson')])
    expect([unvouched.code, unvouched.stdout]).toEqual([3, expect.stringContaining('the key is not vouched for')])
    const fingerprint = /"fingerprint":"([0-9a-f]{64})"/.exec(stack.edge.output())?.[1] ?? 'none'
    expect(intact.stdout).toContain(`entries signed with ${fingerprint}`)
    const verify = (changed: readonly string[], ...flags: string[]) => {
      writeFileSync(fileOf('changed.ndjson'), `${changed.join('\n')}\n`)
      return plantroom(['audit', 'verify', fileOf('changed.ndjson'), ...flags])
    }
    expect((await verify(lines, '--key', fingerprint, '--trust', trust)).code).toBe(0)
    // What it printed, kept in a file.
    writeFileSync(fileOf('trusted'), `${trust}\n`)
    expect((await verify(lines, '--trust', fileOf('trusted'))).code).toBe(0)
    const cut = await verify(lines.toSpliced(-2, 1), '--trust', trust)
    expect([cut.code, cut.stdout]).toEqual([1, expect.stringContaining('NOT intact')])
    expect((await verify(lines, '--key', 'f'.repeat(64))).stdout).toContain('signed with another key')

    const raised = await verify(lines.with(2, (lines[2] ?? '').replace(/(\\"value\\":)/, '$1100')))
    expect([raised.code, raised.stdout]).toEqual([1, expect.stringContaining('entry 2 was changed')])
    const removed = await verify(lines.toSpliced(2, 1))
    expect([removed.code, removed.stdout]).toEqual([1, expect.stringContaining('entry 2 was removed')])
    const added = await verify(lines.toSpliced(4, 0, lines[2] ?? ''))
    expect([added.code, added.stdout]).toEqual([1, expect.stringContaining('entry 2 was added')])
    const missing = await plantroom(['audit', 'verify', fileOf('none')])
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('(ENOENT): check the path')])
    const garbled = await verify(['nonsense'])
    expect([garbled.code, garbled.stderr]).toEqual([1, expect.stringContaining('line 1')])
  })

  test('verifies the activity log, and names what the superuser of the database changed', async () => {
    const file = fileOf('activity.ndjson')
    const verify = async (...flags: string[]) => {
      expect(await audit('export', file, '--activity')).toMatchObject({ code: 0, stderr: '' })
      return plantroom(['audit', 'verify', file, ...flags])
    }
    const fingerprint = /"fingerprint":"([0-9a-f]{64})"/.exec(stack.cloud.output())?.[1] ?? 'none'
    const intact = await verify('--trust', fingerprint)
    expect([intact.code, intact.stdout]).toEqual([0, expect.stringContaining(`entries of organization ${stack.orgId}`)])
    const { stdout } = await plantroom(['activity', '--action', 'key-created'], operatorShell(stack))
    expect(stdout).toContain('key Test partner')

    const log = createLog('test', 'silent')
    const { signal } = new AbortController()
    const address = await awaitEmbeddedPostgres({
      folder: join(stack.folder, 'postgres'),
      clock: systemClock,
      log,
      signal,
    })
    if (!address) throw new Error('there is no database')
    const db = openDatabase(address, log)
    const asSuperuser = (statement: string) =>
      db.connection().execute(async (one) => {
        await sql`SET session_replication_role = replica`.execute(one)
        await sql.raw(statement).execute(one)
      })
    try {
      await asSuperuser("UPDATE activity SET entry = replace(entry, 'site-added', 'site-changed') WHERE seq = 2")
      const changed = await verify()
      expect([changed.code, changed.stdout]).toEqual([1, expect.stringContaining('NOT intact: entry 2 was changed')])
      await asSuperuser('DELETE FROM activity WHERE seq = 2')
      expect((await verify()).stdout).toContain('NOT intact: entry 2 was removed')
    } finally {
      await db.destroy()
    }
  })
})
