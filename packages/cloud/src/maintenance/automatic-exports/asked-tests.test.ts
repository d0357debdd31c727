import type { TargetPlace } from '@plantroom/contract/automatic-exports'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, test } from 'vitest'
import { runDue } from '../../platform/work/index.ts'
import { createAskedTestStore, TESTS } from './asked-test-store.ts'
import { askForTest, targetTests } from './asked-tests.ts'
import { openAutomaticBench } from './testing/export-bench.ts'
import { startWebdav } from './testing/webdav-server.ts'

const OWN = { organizationId: 'org_a', siteId: 'site_a', targetId: 'target_1' }

/** A worker for tests of targets, whose clock stands still. */
async function open() {
  const { db, clock, deps } = await openAutomaticBench()
  await db.deleteFrom('automatic_export_asked').execute()
  const store = createAskedTestStore(db)
  return {
    ...{ db, clock },
    run: (own: { exportFolder?: undefined } = {}) => runDue(deps, targetTests({ ...deps, store, ...own })),
    ask: (place: TargetPlace, password: string | null = null) => {
      const secret = password === null ? null : deps.seal.seal(password, OWN.targetId)
      return askForTest(db, { ...OWN, place, secret }, clock)
    },
  }
}

describe('a test of a target', () => {
  test('that hangs ends after 30 s and says what to check', async () => {
    const { db, clock, ask, run } = await open()
    const dav = await startWebdav()
    dav.fault = () => true
    const id = await ask({ webdav: { url: dav.url, user: 'me' } }, 'geheim')
    const running = run()
    await eventually(() => expect(dav.asked).toHaveLength(1))
    await clock.advance(29_999)
    expect(await TESTS.outcomeOf(db, id)).toBeUndefined()
    await clock.advance(1)
    await running
    const message = 'the target did not answer within 30 s: check the address and the firewall'
    expect(await TESTS.outcomeOf(db, id)).toMatchObject({ ok: false, message })
  })

  test('that has ended leaves no timer, and no secret in the database', async () => {
    const { db, clock, ask, run } = await open()
    const dav = await startWebdav()
    const id = await ask({ webdav: { url: dav.url, user: 'me' } }, 'geheim')
    await run()
    expect(await TESTS.outcomeOf(db, id)).toEqual({ ok: true, failedStep: null, message: null })
    expect(clock.waiting()).toEqual([])
    const { secret } = await db.selectFrom('automatic_export_asked').select('secret').executeTakeFirstOrThrow()
    expect(secret).toBeNull()
  })

  test('that cannot be opened says why', async () => {
    const { db, ask, run } = await open()
    const id = await ask({ folder: { path: '' } })
    await run({ exportFolder: undefined })
    const message = 'this service offers no folder: ask the operator to set PLANTROOM_EXPORT_FOLDER'
    expect(await TESTS.outcomeOf(db, id)).toEqual({ ok: false, failedStep: 'connect', message })
  })

  test('that no process waits for any more is forgotten after an hour', async () => {
    const { clock, ask, db } = await open()
    await ask({ folder: { path: '' } })
    const left = async () => (await db.selectFrom('automatic_export_asked').select('id').execute()).length
    const duty = TESTS.forget({ db, clock })
    clock.step(3_600_000)
    await duty.run(new AbortController().signal)
    expect(await left()).toBe(1)
    clock.step(1)
    await duty.run(new AbortController().signal)
    expect(await left()).toBe(0)
  })
})
