import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { OpenadrCheck, OpenadrCheckStep } from '@plantroom/contract/openadr'
import type { Vtn } from '@plantroom/openadr/vtn'
import { VtnFailure } from '@plantroom/openadr/vtn-failure'
import type { StoredProgram } from './program-store.ts'
import { profileOf } from './read-program.ts'

type Step = OpenadrCheck['steps'][number]
type Found = Pick<Step, 'state' | 'message'> & { ask?: string }

const ok = (message: string): Found => ({ state: 'ok', message })
const warning = (message: string, ask: string): Found => ({ state: 'warning', message, ask })

/** What each step has found for the next ones. */
interface Seen {
  programs: readonly { id: string; name: string }[]
  venId: string | undefined
  /** The reports that events ask for. */
  asked: ReadonlySet<string>
  made: (resourceId: string) => void
}

type Try = (seen: Seen, vtn: Vtn, program: StoredProgram) => Promise<Found>

/** In this order. A step after one that failed says nothing: it is skipped. */
const STEPS: readonly (readonly [OpenadrCheckStep, Try])[] = [
  ['token', tryToken],
  ['programs', tryPrograms],
  ['events', tryEvents],
  ['ven', tryVen],
  ['resources', tryResources],
  ['reports', tryReports],
  ['notifications', tryNotifications],
  ['clock', tryClock],
]

/**
 * Tries a connection step by step. Registers our VEN and its resources, as a poll does, and changes nothing else at the VTN.
 * `made` gets the resources that the VTN did not have.
 */
export async function checkVtn(
  program: StoredProgram,
  open: () => Vtn,
  clock: Clock,
  made: (resourceId: string) => void = () => {},
): Promise<OpenadrCheck> {
  const steps: Step[] = []
  const seen: Seen = { programs: [], venId: undefined, asked: new Set(), made }
  const { host } = new URL(program.settings.vtnUrl)
  let hasFailed = false
  const add = (step: OpenadrCheckStep, { ask = undefined, ...found }: Found) => {
    steps.push({ step, ...found, ask: ask ?? null })
    hasFailed ||= found.state === 'failed'
  }
  let vtn: Vtn | undefined
  try {
    vtn = open()
    add('address', ok(`${host} may be reached from here`))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    add('address', { state: 'failed', message: error.message })
  }
  for (const [step, attempt] of STEPS) {
    if (!vtn || hasFailed) add(step, { state: 'skipped', message: 'not tried: a step before it failed' })
    else add(step, await attempt(seen, vtn, program).catch(failedBy))
  }
  return { at: new Date(clock.now()).toISOString(), ok: !hasFailed, steps }
}

function failedBy(error: unknown): Found {
  if (!(error instanceof VtnFailure)) throw error
  return { state: 'failed', message: error.message, ask: error.ask }
}

async function tryToken(_seen: Seen, vtn: Vtn): Promise<Found> {
  await vtn.token()
  return ok('the authorization server gave a token')
}

async function tryPrograms(seen: Seen, vtn: Vtn, { settings }: StoredProgram): Promise<Found> {
  const { items } = await vtn.programs()
  const names = items.map(({ name }) => name)
  const missing = settings.programNames.filter((name) => !names.includes(name))
  seen.programs = items.filter(({ name }) => settings.programNames.length === 0 || settings.programNames.includes(name))
  const shown = names.slice(0, 10).join(', ')
  if (missing.length > 0) {
    return {
      state: 'failed',
      message: `the VTN does not show ${missing.join(', ')}${shown ? `; it shows ${shown}` : ', and no other program'}`,
      ask: 'Is our client enrolled in the program, and what is its exact name?',
    }
  }
  if (seen.programs.length === 0) return warning('the VTN shows no program', 'Is our client enrolled in a program?')
  return ok(`the VTN shows ${shown}`)
}

async function tryEvents(seen: Seen, vtn: Vtn): Promise<Found> {
  let [count, unreadable] = [0, 0]
  let first: string | undefined
  const asked = new Set<string>()
  for (const { id } of seen.programs) {
    const listing = await vtn.events(id)
    count += listing.items.length
    unreadable += listing.unreadable.length
    first ??= listing.unreadable[0]?.problem
    for (const { reportDescriptors } of listing.items)
      for (const { payloadType } of reportDescriptors) asked.add(payloadType)
  }
  seen.asked = asked
  if (unreadable === 0) return ok(`${count} events can be read`)
  return warning(
    `${unreadable} of ${count + unreadable} events cannot be read: ${first}`,
    'Do these events follow the version and profile that we agreed on?',
  )
}

async function tryVen(seen: Seen, vtn: Vtn, { settings }: StoredProgram): Promise<Found> {
  const { id, targets } = await vtn.ensureVen(settings.venName)
  seen.venId = id
  const groups = targets.map(({ value }) => value).join(', ')
  return ok(`registered as ${settings.venName}${groups ? `, with the targets ${groups}` : ', without targets'}`)
}

async function tryResources(seen: Seen, vtn: Vtn, { settings }: StoredProgram): Promise<Found> {
  const names = settings.mapping.resources.map(({ resourceName }) => resourceName)
  for (const name of names) await vtn.ensureResource(seen.venId ?? '', name, seen.made)
  if (names.length === 0)
    return warning('the mapping has no resources: no event does anything', 'How are our resources called?')
  return ok(`${names.length} resources are registered`)
}

async function tryReports({ asked }: Seen, vtn: Vtn, { settings }: StoredProgram): Promise<Found> {
  const { reports } = profileOf(settings)
  const unanswered = [...asked].filter((payload) => !Object.hasOwn(reports, payload))
  try {
    await vtn.reports({ eventId: 'none', clientName: settings.venName })
    if (unanswered.length > 0) {
      const shown = unanswered.slice(0, 10).join(', ')
      return warning(`events ask for ${shown}, which we have no values for and do not send`, `Do you need ${shown}?`)
    }
    return ok('reports can be read; none was sent for this check')
  } catch (error) {
    if (!(error instanceof VtnFailure) || error.kind === 'unreachable') throw error
    // An unknown event may be an error for the VTN, and reading reports is optional.
    return warning(`reports cannot be read: ${error.message}`, 'May our client read the reports that it sent?')
  }
}

async function tryNotifications(_seen: Seen, vtn: Vtn, { found }: StoredProgram): Promise<Found> {
  const { hasWebhook, mqtt } = await vtn.notifiers()
  const ways = [...(hasWebhook ? ['webhooks'] : []), ...(mqtt ? ['MQTT'] : [])]
  const { webhookProblem, notifications } = found
  if (webhookProblem && !notifications)
    return warning(
      `the VTN is only polled: ${webhookProblem}`,
      'May our client subscribe to events, by webhook or MQTT?',
    )
  return ok(ways.length > 0 ? `the VTN offers ${ways.join(' and ')}` : 'the VTN offers none: it is polled')
}

async function tryClock(_seen: Seen, vtn: Vtn, { settings }: StoredProgram): Promise<Found> {
  const difference = vtn.clockDifferenceMs()
  if (difference === null) return ok('the VTN does not say its time')
  const seconds = Math.round(difference / 1000)
  if (Math.abs(difference) <= profileOf(settings).clockToleranceSeconds * 1000) return ok('the clocks agree')
  return warning(`the clock of the VTN differs by ${seconds} s from ours`, 'Does the VTN synchronize its clock?')
}
