import { newAuditKey, openAuditKey } from '@plantroom/base/audit-key'
import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { onTestFinished } from 'vitest'
import { createActivityLog } from '../../organization/activity/activity-log.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { createGuard, createTransport, openPlaces } from '../../platform/outbound/index.ts'
import { createSeal } from '../../platform/seal/index.ts'
import { describeWork } from '../../platform/work/testing/describe-work.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { createCheckStore } from './check-store.ts'
import { checks } from './checks.ts'
import { cleanups } from './cleanups.ts'
import { polls } from './poll.ts'
import { createProgramStore, type ProgramSettings } from './program-store.ts'
import { reports } from './send-report.ts'
import { BATTERY } from './testing/bench.ts'
import { createVtnSessions } from './vtn-sessions.ts'

const log = createLog('test', 'silent')
const SETTINGS: ProgramSettings = {
  ...{ vtnUrl: 'https://vtn.example', version: '3.1', profile: 'alliance-3.1', ownProfile: null, tokenUrl: null },
  ...{ scope: null, audience: null, clientId: 'ven', programNames: [], venName: 'us', pollSeconds: 60 },
  mapping: BATTERY,
}

/** Two organizations and the work of their programs. */
async function open() {
  const db = openDatabase({ connectionString: await createTestDatabase() }, log)
  onTestFinished(() => db.destroy())
  const clock = createManualClock()
  for (const id of ['org_1', 'org_2']) await db.insertInto('organization').values({ id, name: id }).execute()
  const seal = createSeal('a key', 'openadr')
  const guard = createGuard({ privateNetworks: [] })
  const session = { transport: createTransport({ clock, places: openPlaces(), guard }), seal, clock }
  const listeners = { follow() {}, hears: () => false }
  const deps = { db, sessions: createVtnSessions(session), listeners, baseUrl: undefined, clock, log }
  /** A program that is due, in this organization. */
  async function addProgram(organizationId: string): Promise<string> {
    const id = newId('adr')
    const own = { id, organizationId, name: 'Utility', active: true, notifyToken: newId('tok') }
    await createProgramStore(db).add({ ...own, settings: SETTINGS, secret: seal.seal('secret', id), siteIds: [] })
    const now = new Date(clock.now())
    await db.updateTable('openadr_program').where('id', '=', id).set({ poll_at: now, due_at: now }).execute()
    return id
  }
  return { db, clock, deps, session, addProgram }
}

describeWork('the poll of a program', async () => {
  const { db, clock, deps, addProgram } = await open()
  return { db, clock, kind: polls(deps), add: addProgram }
})

describeWork('a report', async () => {
  const { db, clock, deps, addProgram } = await open()
  return {
    db,
    clock,
    kind: reports(deps),
    async add(organization) {
      const now = new Date(clock.now())
      const row = { id: newId('rep'), program_id: await addProgram(organization), organization_id: organization }
      const due = JSON.stringify({ event: { id: 'event', programId: 'program' }, intervals: [], items: [] })
      const about = {
        event_id: null,
        from_at: null,
        to_at: null,
        should_at: now,
        due_at: now,
        payloads: [],
        resources: [],
      }
      await db
        .insertInto('openadr_report')
        .values({ ...row, ...about, key: row.id, due } as never)
        .execute()
    },
  }
})

describeWork('a clean-up at a VTN', async () => {
  const { db, clock, session } = await open()
  return {
    db,
    clock,
    kind: cleanups({
      db,
      ...session,
      activity: createActivityLog({ db, key: openAuditKey(newAuditKey()), clock }),
      log,
    }),
    async add(organization_id) {
      const at = new Date(clock.now())
      const about = { program_id: newId('adr'), program_name: 'Utility', ven_id: null, notify_token: 'token' }
      const settings = JSON.stringify(SETTINGS)
      await db
        .insertInto('openadr_cleanup')
        .values({
          id: newId('cln'),
          organization_id,
          ...about,
          settings,
          secret: Buffer.of(1),
          created_at: at,
          due_at: at,
          subscriptions: [],
          resources: [],
        })
        .execute()
    },
  }
})

describeWork('a check', async () => {
  const { db, clock, session, addProgram } = await open()
  return {
    db,
    clock,
    kind: checks({ db, ...session }),
    async add(organizationId) {
      const programId = await addProgram(organizationId)
      await createCheckStore(db).add({ id: newId('check'), programId, organizationId }, new Date(clock.now()))
    },
  }
})
