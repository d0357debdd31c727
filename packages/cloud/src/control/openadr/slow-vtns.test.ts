import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { expect, onTestFinished, test } from 'vitest'
import { startWork } from '../../platform/work/index.ts'
import { openBench } from './testing/bench.ts'

const log = createLog('test', 'silent')

/** A VTN that takes every connection and answers nothing. */
async function startSilentVtn() {
  const server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  let open = 0
  server.on('connection', (socket) => {
    open += 1
    socket.once('close', () => {
      open -= 1
    })
  })
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open: () => open, close }
}

/** An ordinary program, and so many organizations that each follow ten programs at a VTN that never answers. */
async function openWithSilent(organizations: number) {
  const bench = await openBench()
  const { db, clock, store, programId, session } = bench
  const vtn = await startSilentVtn()
  const program = await store.read('org', programId)
  if (!program) throw new Error('there is no program')
  await store.change(
    programId,
    { ...program, active: false, isOtherVtn: false, leavesVtn: false, isPaused: false },
    new Date(clock.now()),
  )
  const settings = { ...program.settings, vtnUrl: vtn.url, tokenUrl: null }
  for (let index = 0; index < organizations; index += 1) {
    const organizationId = `slow_${index}`
    await db.insertInto('organization').values({ id: organizationId, name: organizationId }).execute()
    for (let count = 0; count < 10; count += 1) {
      const id = newId('adr')
      const own = { id, organizationId, name: `${count}`, active: true, notifyToken: newId('tok') }
      await store.add({ ...own, settings, secret: session.seal.seal('secret', id), siteIds: [] })
    }
  }
  await db
    .updateTable('openadr_program')
    .set({ due_at: new Date(clock.now()), poll_at: new Date(clock.now()) })
    .execute()
  const running = startWork({ db, clock, log }, bench.startWorker())
  onTestFinished(async () => {
    const stopped = running.stop()
    vtn.close()
    await stopped
  })
  const activate = () =>
    store.change(
      programId,
      { ...program, active: true, isOtherVtn: false, leavesVtn: false, isPaused: false },
      new Date(clock.now()),
    )
  const countSlow = async () =>
    (await db.selectFrom('openadr_program').where('was_slow', '=', true).select('id').execute()).length
  const polledAt = async () => (await bench.state())?.polledAt
  return { ...bench, silent: vtn, activate, countSlow, polledAt, running }
}

test('two organizations with ten silent VTNs each keep another one waiting for no more than two seconds', async () => {
  const { clock, silent, activate, polledAt } = await openWithSilent(2)
  await eventually(() => expect(silent.open()).toBe(20))
  await activate()
  await clock.advance(2_500)
  await eventually(async () => expect(await polledAt()).not.toBeNull())
})

test('any number of organizations with silent VTNs keep no other one waiting', async () => {
  const { clock, countSlow, activate, polledAt, running } = await openWithSilent(4)
  await eventually(async () => {
    await clock.advance(1_000)
    expect(await countSlow()).toBe(40)
  })
  // So many are asked all the time: the others do not have a place.
  await eventually(() => expect(running.running).toBe(12))
  await activate()
  await clock.advance(500)
  await eventually(async () => expect(await polledAt()).not.toBeNull())
  expect(running.running).toBe(12)
})
