import { describe, expect, test } from 'vitest'
import { mayOpenLowPorts, type Run, readUnit, unitFinding } from './unit-check.ts'

const RUNNING = {
  ...{ LoadState: 'loaded', ActiveState: 'active', SubState: 'running', Result: 'success', NRestarts: '0' },
  ...{ UnitFileState: 'enabled', Environment: 'PLANTROOM_DATA=/data PLANTROOM_DRAIN_S=5' },
  AmbientCapabilities: 'cap_net_bind_service',
}

/** A systemd that says this. */
const systemd =
  (changes: Partial<typeof RUNNING>, journal = ''): Run =>
  async (program) =>
    program === 'journalctl'
      ? journal
      : Object.entries({ ...RUNNING, ...changes })
          .map(([name, value]) => `${name}=${value}\n`)
          .join('')

async function findingOf(changes: Partial<typeof RUNNING>, journal?: string) {
  const unit = await readUnit('plantroom-cloud', '/data', systemd(changes, journal))
  return unit && unitFinding(unit)
}

const PORT = 'port 8080 on 127.0.0.1 is taken: stop the program that uses it'
const JOURNAL = `{"level":30,"msg":"starting"}
plantroom cloud: an older reason
plantroom cloud: ${PORT}
plantroom-cloud.service: Scheduled restart job, restart counter is at 7.
`

describe('the unit of a program', () => {
  test('is well while it runs', async () => {
    expect(await findingOf({})).toEqual({ level: 'ok', text: 'plantroom-cloud runs' })
  })

  test('that restarts again and again is a problem, with its last words', async () => {
    const changes = { ActiveState: 'activating', SubState: 'auto-restart', Result: 'exit-code', NRestarts: '7' }
    expect(await findingOf(changes, JOURNAL)).toEqual({
      level: 'problem',
      text: `plantroom-cloud does not stay up (auto-restart, exit-code, 7 times so far): ${PORT}`,
      remedy: expect.stringContaining('systemctl restart plantroom-cloud'),
    })
    // The program could not catch it.
    const thrown = 'SystemError [ERR_SYSTEM_ERROR]: A system error occurred: uv_interface_addresses returned 97'
    expect(await findingOf(changes, `${thrown}\n    at Object.networkInterfaces (node:os:218:16)\n`)).toMatchObject({
      text: expect.stringContaining('uv_interface_addresses'),
    })
    // Between two restarts it starts.
    expect(await findingOf({ ActiveState: 'activating', SubState: 'start', NRestarts: '7' }, JOURNAL)).toMatchObject({
      level: 'problem',
    })
    // Another user may not read the journal.
    expect(await findingOf(changes)).toMatchObject({ level: 'problem', remedy: expect.stringContaining('journalctl') })
  })

  test.each([
    ['a problem if it failed', { ActiveState: 'failed', SubState: 'failed' }, 'problem'],
    ['a problem if it is stopped', { ActiveState: 'inactive', SubState: 'dead' }, 'problem'],
    [
      'left alone if it is disabled',
      { ActiveState: 'inactive', SubState: 'dead', UnitFileState: 'disabled' },
      'skipped',
    ],
    ['a warning while it starts', { ActiveState: 'activating', SubState: 'start' }, 'warning'],
  ])('is %s', async (_title, changes, level) => {
    expect(await findingOf(changes)).toMatchObject({ level })
  })

  test('is a warning if it runs after restarts for a known reason', async () => {
    expect(await findingOf({ NRestarts: '2' }, JOURNAL)).toMatchObject({
      level: 'warning',
      text: expect.stringContaining(PORT),
    })
  })

  test('is none without systemd, without the unit, and for another data folder', async () => {
    expect(await readUnit('plantroom-cloud', '/data', async () => undefined)).toBeUndefined()
    expect(await findingOf({ LoadState: 'not-found' })).toBeUndefined()
    expect(await readUnit('plantroom-cloud', '/elsewhere', systemd({}))).toBeUndefined()
  })

  test('says whether the program may open low ports', async () => {
    expect(mayOpenLowPorts(await readUnit('plantroom-cloud', '/data', systemd({})))).toBe(true)
    expect(mayOpenLowPorts(await readUnit('plantroom-cloud', '/data', systemd({ AmbientCapabilities: '' })))).toBe(
      false,
    )
    expect(mayOpenLowPorts(undefined)).toBe(false)
  })
})
