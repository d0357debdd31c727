import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import type { OpenadrMapping } from '@plantroom/contract/openadr'
import { startVtnDouble } from '@plantroom/testkit/vtn-double'
import { onTestFinished } from 'vitest'
import { createGuard, createTransport, openPlaces } from '../../../platform/outbound/index.ts'
import { createSeal } from '../../../platform/seal/index.ts'
import { runDue, timeOf } from '../../../platform/work/index.ts'
import { startFleet } from '../../fleet/testing/fleet.ts'
import { createMeasurementStore } from '../../telemetry/measurement-store.ts'
import { listEvents } from '../event-list-store.ts'
import { createListeners } from '../listeners.ts'
import { createPlacementStore } from '../placement-store.ts'
import { type PollDeps, polls } from '../poll.ts'
import { createPollStore } from '../poll-store.ts'
import { createProgramStore, type ProgramSettings } from '../program-store.ts'
import { listReports } from '../report-list-store.ts'
import { reports } from '../send-report.ts'
import { createVtnSessions } from '../vtn-sessions.ts'

const log = createLog('test', 'silent')
/** Some controllers of a test never answer. */
const [FEWEST_ROUNDS, MOST_ROUNDS] = [3, 12]
const MINUTE_MS = 60_000

export const BATTERY: OpenadrMapping = {
  resources: [
    {
      resourceName: 'battery',
      rules: [{ payload: 'DISPATCH_SETPOINT', datapointId: 'dp_0', outsideEnvelope: 'clamp' }],
    },
  ],
  onSilence: 'keep',
  silenceSeconds: 600,
}

/** An organization with imitated controllers, a strict VTN, and a worker whose clock is that of the test. */
export async function openBench({
  controllers = 1,
  mapping = BATTERY,
  profile = 'alliance-3.1',
  version = '3.1',
  baseUrl,
  mqtt,
}: {
  controllers?: number
  mapping?: OpenadrMapping
  /** Where the VTN reaches this service. */
  baseUrl?: string
  /** The broker of the VTN. */
  mqtt?: Pick<Parameters<typeof startVtnDouble>[0], 'mqttUrl' | 'publish'>
} & Partial<Pick<ProgramSettings, 'profile' | 'version'>> = {}) {
  const fleet = await startFleet(controllers)
  const { db, clock } = fleet
  const vtn = await startVtnDouble({ version, now: () => clock.now(), ...mqtt })
  onTestFinished(() => vtn.close())
  const program = vtn.addProgram({ programName: 'Flexibility' })
  for (const [index, deviceId] of [...fleet.devices.keys()].entries()) {
    await db
      .insertInto('technical_system')
      .values({ id: `sys_${index}`, device_id: deviceId, name: 'Battery room', document: '{}' as never })
      .execute()
    const point = { id: `dp_${index}`, name: 'Charge power', unit: 'kW', min: -50, max: 50, tags: [] }
    await db
      .insertInto('writable_datapoint')
      .values({ technical_system_id: `sys_${index}`, device_id: deviceId, ...point })
      .execute()
  }
  const seal = createSeal('a key', 'openadr')
  const guard = createGuard({ privateNetworks: ['127.0.0.1'] })
  const transport = createTransport({ clock: { ...clock, after: () => () => {} }, places: openPlaces(), guard })
  const settings: ProgramSettings = {
    ...{ vtnUrl: vtn.baseUrl, version, profile, ownProfile: null, tokenUrl: null },
    ...{ scope: null, audience: null, clientId: 'ven-client', programNames: ['Flexibility'], venName: 'us' },
    ...{ pollSeconds: 60, mapping },
  }
  const store = createProgramStore(db)
  const programId = newId('adr')
  async function addProgram(id = newId('adr')): Promise<void> {
    const own = { id, organizationId: 'org', name: 'Utility', active: true, notifyToken: newId('tok') }
    await store.add({ ...own, settings, secret: seal.seal('ven-secret', id), siteIds: ['site'] })
  }
  await addProgram(programId)

  /** A worker with nothing in memory. */
  function openDeps(own: Partial<PollDeps> = {}) {
    const sessions = createVtnSessions({ transport, seal, clock })
    const wake = (id: string) => createPollStore(db).announce({ id }, timeOf(clock))
    const listeners = createListeners({ guard, sessions, wake, clock, log })
    onTestFinished(() => listeners.close())
    return { db, sessions, listeners, baseUrl, clock, log, ...own }
  }
  const startWorker = (own?: Partial<PollDeps>) => polls(openDeps(own))
  /** Sends the reports that are due, as a worker with nothing in memory. */
  const sendReports = () => runDue({ db, clock, log }, reports(openDeps()))
  const shownReports = async () =>
    (await listReports(db, { organizationId: 'org', siteIds: undefined }, { limit: 100 })).items
  const worker = startWorker()
  const process = fleet.startProcess()

  const wakeAt = (time: number) =>
    db
      .updateTable('openadr_program')
      .set({ poll_at: new Date(time), due_at: new Date(time) })
      .execute()
  /** Asks the VTN now, and lets the cloud place what follows. */
  async function poll(kind = worker): Promise<void> {
    await wakeAt(clock.now())
    await runDue({ db, clock, log }, kind)
    await settle(kind)
  }
  /** A controller has not answered, or a replacement is not there yet. */
  async function isBusy(): Promise<boolean> {
    const tasks = await db.selectFrom('device_task').select('subject').limit(1).execute()
    return tasks.length > 0 || (await createPlacementStore(db).hasReplaced(programId))
  }
  /** Lets the cloud place, and the worker do what the outcomes ask for. */
  async function settle(kind = worker): Promise<void> {
    for (let round = 0; round < FEWEST_ROUNDS || (round < MOST_ROUNDS && (await isBusy())); round += 1) {
      process.engine.wake()
      await fleet.pass(1)
      await db
        .updateTable('openadr_program')
        .set({ due_at: new Date(clock.now()), reconcile_at: new Date(clock.now()) })
        .execute()
      await runDue({ db, clock, log }, kind)
    }
  }
  const begun = clock.now()
  /** So many minutes after the beginning of the test. */
  const time = (minutes: number) => new Date(begun + minutes * MINUTE_MS).toISOString()
  /** An event with one interval after another, each so many minutes long. */
  const event = (startMinutes: number, each: number, values: readonly number[], more: object = {}) => ({
    programID: program.id,
    eventName: 'Peak',
    intervalPeriod: { start: time(startMinutes), duration: `PT${each}M` },
    intervals: values.map((value, id) => ({ id, payloads: [{ type: 'DISPATCH_SETPOINT', values: [value] }] })),
    ...more,
  })
  /** Lists the datapoints of the controllers, as their commissioning does: what is listed is archived. */
  async function listDatapoints(): Promise<void> {
    const point = { organization_id: 'org', name: 'Charge power', search: '', unit: 'kW', tags: [] }
    const flags = { is_peak_meter: false, is_power: true }
    const rows = [...fleet.devices.keys()].map((device_id, index) => ({
      ...{ technical_system_id: `sys_${index}`, device_id, id: `dp_${index}`, ...point, ...flags },
    }))
    await db
      .insertInto('listed_datapoint')
      .values(rows as never)
      .execute()
  }
  /** Archives what a datapoint measured in a quarter of an hour, by the minute in which it ended. */
  async function measure(endMinutes: number, mean: number, { coverage = 100, seconds = 900, index = 0 } = {}) {
    const interval = { seconds, coverage, mean, min: mean, max: mean }
    const measurements = [{ datapointId: `dp_${index}`, at: Date.parse(time(endMinutes)), value: mean, ...interval }]
    const deviceId = [...fleet.devices.keys()][index] ?? ''
    await createMeasurementStore(db).addAll([{ deviceId, items: { measurements, gaps: [] } }])
  }
  const held = (index = 0) =>
    [...fleet.device(index).overrides.values()]
      .filter(({ to }) => Date.parse(to) > clock.now())
      .sort((a, b) => a.from.localeCompare(b.from))
  const view = { organizationId: 'org', siteIds: undefined }
  const events = async () => (await listEvents(db, view, { limit: 100 }, new Date(clock.now()))).items
  const state = async () => store.find(view, programId, new Date(clock.now()))
  return {
    ...fleet,
    vtn,
    program,
    programId,
    store,
    session: { transport, seal, clock },
    addProgram,
    worker,
    startWorker,
    sendReports,
    shownReports,
    process,
    poll,
    settle,
    event,
    time,
    held,
    listDatapoints,
    measure,
    events,
    state,
    wakeAt,
  }
}
