import { hash } from 'node:crypto'
import type { VtnEvent } from '@plantroom/openadr/events'
import type { Vtn } from '@plantroom/openadr/vtn'
import { VtnFailure } from '@plantroom/openadr/vtn-failure'
import type { FoundVtn, StoredProgram } from './program-store.ts'
import { profileOf } from './read-program.ts'
import { announcements } from './subscribe.ts'

/** How often programs, the VEN and its resources are looked up again: they rarely change. */
const REGISTER_MS = 10 * 60_000
const RETRY_MS = 60_000
/** Of one event, in words for people. */
const LONGEST_PROBLEM = 300

/** What a VTN said. */
export interface Heard {
  events: readonly VtnEvent[]
  /** Events that the VTN has and that cannot be read: what is known of them stays. */
  unreadable: readonly string[]
  /** Programs that the VTN lists, and whose events it does not have: what is known of these stays. */
  lost: readonly string[]
  found: FoundVtn
  /** What is wrong although the VTN answered; for people. */
  problem: string | null
}

interface Asking {
  vtn: Vtn
  /** Where the VTN reaches us; `undefined` when we don't know. */
  callback: string | undefined
  /** Gets the id of each resource that the VTN did not have. */
  made: (resourceId: string) => void
}

/** Asks a VTN for its events, and registers our VEN and its resources where it does not have them. */
export async function askVtn(program: StoredProgram, asking: Asking, now: number): Promise<Heard> {
  const { vtn } = asking
  let found = await register(program, asking, now)
  let read = await readEvents(vtn, found.programs)
  // Looked up at once, but once: a VTN may list what it has no events for.
  const isNews = read.lost.some((id) => !program.found.lostPrograms?.includes(id))
  if (isNews && found.registeredAt !== now) {
    const { registeredAt: _, ...before } = found
    found = await register({ ...program, found: before }, asking, now)
    read = await readEvents(vtn, found.programs)
  }
  const { events, unreadable, lost, broken } = read
  // The same event under two programs counts once.
  const unique = [...new Map(events.map((event) => [event.id, event])).values()]
  const clockOffsetMs = vtn.clockDifferenceMs()
  const { clockToleranceSeconds } = profileOf(program.settings)
  const isClockWrong = Math.abs(clockOffsetMs ?? 0) > clockToleranceSeconds * 1000
  const problem =
    missingOf(found) ??
    found.registerProblem ??
    broken?.slice(0, LONGEST_PROBLEM) ??
    (isClockWrong
      ? `the clock of the VTN differs by ${Math.round((clockOffsetMs ?? 0) / 1000)} s from ours: ask its operator to correct it, or yours`
      : null)
  return { events: unique, unreadable, lost, found: { ...found, lostPrograms: lost, clockOffsetMs }, problem }
}

/** Reads the events of programs. One that the VTN says it does not have keeps none of the others waiting. */
async function readEvents(vtn: Vtn, programs: FoundVtn['programs'] = []) {
  const [events, unreadable, lost]: [VtnEvent[], string[], string[]] = [[], [], []]
  let broken: string | undefined
  for (const { id, name } of programs) {
    const listing = await vtn.events(id).catch((error: unknown) => {
      if (error instanceof VtnFailure && error.kind === 'missing') return undefined
      throw error
    })
    if (!listing) {
      lost.push(id)
      broken ??= `the VTN lists the program ${name}, but answers 404 for its events: those that were read before stay in force. Ask its operator: does the program still exist?`
      continue
    }
    events.push(...listing.items)
    unreadable.push(...listing.unreadable.flatMap((one) => one.id ?? []))
    const [first] = listing.unreadable
    if (first) broken ??= `the event ${first.id ?? 'without an id'} cannot be read: ${first.problem}`
  }
  return { events, unreadable, lost, broken }
}

const missingOf = ({ missingPrograms = [], programs = [] }: FoundVtn) => {
  const [first] = missingPrograms
  const shown = programs.map(({ name }) => name).slice(0, 5)
  if (first === undefined) return undefined
  return `the VTN does not show the program ${first}: ask its operator to enrol your client${shown.length > 0 ? `; it shows ${shown.join(', ')}` : ''}`
}

async function register(
  { settings, found }: StoredProgram,
  { vtn, callback, made }: Asking,
  now: number,
): Promise<FoundVtn> {
  const names = settings.mapping.resources.map(({ resourceName }) => resourceName)
  const known = new Map((found.resources ?? []).map((resource) => [resource.name, resource]))
  const isComplete = names.every((name) => known.has(name)) || found.registerProblem
  const ageMs = now - (found.registeredAt ?? 0)
  if (isComplete && ageMs < (found.missingPrograms?.length === 0 ? REGISTER_MS : RETRY_MS)) return found
  const { items } = await vtn.programs()
  const wanted = new Set(settings.programNames)
  const programs = items.filter(({ name }) => wanted.size === 0 || wanted.has(name))
  const missingPrograms = settings.programNames.filter((name) => !programs.some((program) => program.name === name))
  const registered = await registerVen(settings.venName, names, { vtn, made })
  // Before the events are read: a change after that is announced.
  const announced = await announcements({ settings, found }, { ...registered, programs }, { vtn, callback })
  return { ...found, ...registered, ...announced, programs, missingPrograms, registeredAt: now }
}

/** Some VTNs register VENs by hand, or have none: their events count anyway. */
const MAY_LACK_VENS: ReadonlySet<VtnFailure['kind']> = new Set(['forbidden', 'missing', 'unsupported', 'refused'])

async function registerVen(
  venName: string,
  names: readonly string[],
  { vtn, made }: Pick<Asking, 'vtn' | 'made'>,
): Promise<Pick<FoundVtn, 'venId' | 'venTargets' | 'resources' | 'registerProblem'>> {
  const resources: NonNullable<FoundVtn['resources']>[number][] = []
  try {
    const { id: venId, targets: venTargets } = await vtn.ensureVen(venName)
    for (const resourceName of names) {
      const { id, name, targets } = await vtn.ensureResource(venId, resourceName, made)
      resources.push({ id, name, targets })
    }
    return { venId, venTargets, resources, registerProblem: null }
  } catch (error) {
    if (!(error instanceof VtnFailure) || !MAY_LACK_VENS.has(error.kind)) throw error
    return { resources, registerProblem: `could not be registered: ${problemOf(error).problem}` }
  }
}

/** Where an event starts within its randomized time: the same after restarts and in every process. */
export function seedOf(programId: string, eventId: string): number {
  return Number.parseInt(hash('sha256', JSON.stringify([programId, eventId])).slice(0, 12), 16) / 2 ** 48
}

/** What a person reads about a VTN that did not do what it should. */
export function problemOf(error: unknown): { problem: string; retryAfterS: number | null } {
  if (!(error instanceof VtnFailure)) throw error
  return { problem: `${error.message}. Ask its operator: ${error.ask}`, retryAfterS: error.retryAfterS }
}
