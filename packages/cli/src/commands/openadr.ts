import { readDocument } from '@plantroom/base/document'
import { collectItems } from '@plantroom/client/pages'
import type {
  GivenOpenadrProgram,
  OpenadrCheck,
  OpenadrEvent,
  OpenadrProgram,
  OpenadrReport,
} from '@plantroom/contract/openadr'
import { type Administration, administration } from '../clients.ts'
import { COMMON_FLAGS, ReportedFailure, repeated, required, UsageError, valued } from '../command.ts'
import { command, verb } from '../declare.ts'
import { orDash, print, table } from '../output.ts'

const PROGRAM = { name: 'PROGRAM', about: 'the id or the name of a program' } as const
const EVENT = { name: 'EVENT', about: 'the id or the name of an event' } as const
const RESOURCES = repeated('NAME', 'only this resource; repeat it for more')
const OF_PROGRAM = valued('PROGRAM', 'only of this program, by id or name')
const PAGE = 100
/** Lists stop here; the console pages on. */
const MOST = 1000

export const openadr = command('openadr', {
  group: 'control',
  about: 'follow OpenADR 3 programs of utilities and aggregators',
  notes:
    'FILE is YAML or JSON with the fields of a program: name, vtnUrl, version, profile, clientId, clientSecret, venName, mapping, …',
  verbs: {
    add: verb({
      about: 'add a program that a file describes',
      arguments: [{ name: 'FILE' }],
      options: COMMON_FLAGS,
      json: 'the program, without its secret',
      examples: ['plantroom openadr add flexibility.yaml'],
      async run(flags, { FILE }) {
        const body = (await readDocument(FILE, 'an OpenADR program', 'name, vtnUrl')) as GivenOpenadrProgram
        const { client, orgId } = await administration(flags)
        const added = await client.addOpenadrProgram({ orgId, body })
        print(flags.json, added, () => `${added.id} added; see plantroom openadr check ${added.id}`)
      },
    }),
    programs: verb({
      about: 'list programs with their state',
      options: COMMON_FLAGS,
      json: '[{id, name, state, problem, polledAt, counts, …}]',
      async run(flags) {
        const { client, orgId } = await administration(flags)
        const { programs } = await client.listOpenadrPrograms({ orgId })
        const header = ['ID', 'NAME', 'STATE', 'LAST ANSWER', 'EVENTS', 'PLACED', 'REFUSED', 'PROBLEM']
        const none = 'no programs yet: plantroom openadr add FILE'
        print(flags.json, programs, () => table(header, programs.map(programRow), none))
      },
    }),
    check: verb({
      about: 'connect to the VTN of a program step by step; exits with 1 when a step fails',
      arguments: [PROGRAM],
      options: COMMON_FLAGS,
      json: '{at, ok, steps: [{step, state, message, ask}]}',
      async run(flags, { PROGRAM: given }) {
        const { client, orgId } = await administration(flags)
        const { programs } = await client.listOpenadrPrograms({ orgId })
        const found = await client.checkOpenadrProgram({ orgId, programId: idOf(programs, given) })
        print(flags.json, found, () => describeCheck(found))
        if (!found.ok) throw new ReportedFailure()
      },
    }),
    events: verb({
      about: 'list events with what became of them, newest first',
      options: { ...COMMON_FLAGS, program: OF_PROGRAM },
      json: '[{eventId, state, from, to, problems, placements: […], …}]',
      async run(flags) {
        const { client, orgId } = await administration(flags)
        const programId = await programOf(flags.program, () => client.listOpenadrPrograms({ orgId }))
        const events = await eventsOf({ client, orgId }, programId)
        const header = ['EVENT', 'PROGRAM', 'STATE', 'FROM', 'TO', 'PLACED', 'OPTED OUT', 'PROBLEMS']
        print(flags.json, events, () => table(header, events.map(eventRow), 'no events yet'))
      },
    }),
    'opt-out': verb({
      about:
        'take resources out of a running or coming event: what it placed for them is released, and the VTN gets a report',
      arguments: [EVENT],
      options: {
        ...COMMON_FLAGS,
        reason: valued('TEXT', 'why, for people (required)'),
        resource: RESOURCES,
        site: valued('SITE', 'only the resources with equipment at this site', { completes: 'site' }),
      },
      json: '[{id, resourceName, reason, by, at}]',
      examples: ['plantroom openadr opt-out "Evening peak" --reason "A concert tonight"'],
      async run({ reason, resource, site, ...flags }, { EVENT: given }) {
        const body = {
          reason: required(reason, '--reason, which people see'),
          ...(resource && { resourceNames: resource }),
        }
        const { client, orgId, siteId } = await administration(flags)
        const { id: eventId } = eventNamed(await eventsOf({ client, orgId }), given)
        const ofSite = site === undefined ? {} : { siteId: await siteId(site) }
        const { optOuts } = await client.optOutOfOpenadrEvent({ orgId, eventId, body: { ...body, ...ofSite } })
        print(
          flags.json,
          optOuts,
          () => `out of the event: ${optOuts.map(({ resourceName }) => resourceName).join(', ')}`,
        )
      },
    }),
    'opt-in': verb({
      about: 'put resources back into an event that they were taken out of',
      arguments: [EVENT],
      options: { ...COMMON_FLAGS, resource: RESOURCES },
      json: '[{id, resourceName, reason, by, at}]',
      async run({ resource, ...flags }, { EVENT: given }) {
        const { client, orgId } = await administration(flags)
        const { optOuts } = eventNamed(await eventsOf({ client, orgId }), given)
        const ended = optOuts.filter(({ resourceName }) => resource?.includes(resourceName) ?? true)
        if (ended.length === 0)
          throw new UsageError(`no such resource is out of ${given}: plantroom openadr events lists them`)
        for (const { id: optOutId } of ended) await client.endOpenadrOptOut({ orgId, optOutId })
        print(flags.json, ended, () => `back in the event: ${ended.map(({ resourceName }) => resourceName).join(', ')}`)
      },
    }),
    reports: verb({
      about: 'list reports that were sent, are due or were refused, newest first',
      options: { ...COMMON_FLAGS, program: OF_PROGRAM },
      json: '[{eventId, payloads, state, dueAt, sentAt, status, answer, error, …}]',
      async run(flags) {
        const { client, orgId } = await administration(flags)
        const programId = await programOf(flags.program, () => client.listOpenadrPrograms({ orgId }))
        const reports = await collectItems(
          (cursor) => {
            const query = { limit: PAGE, ...(programId && { programId }), ...(cursor && { cursor }) }
            return client.listOpenadrReports({ orgId, query })
          },
          (page) => page.reports,
          MOST,
        )
        const header = ['DUE', 'PROGRAM', 'EVENT', 'PAYLOADS', 'STATE', 'ANSWER']
        print(flags.json, reports, () => table(header, reports.map(reportRow), 'no reports yet'))
      },
    }),
    remove: verb({
      about: 'remove a program; everything that it placed is released',
      arguments: [PROGRAM],
      options: COMMON_FLAGS,
      json: '{id, removed}',
      async run(flags, { PROGRAM: given }) {
        const { client, orgId } = await administration(flags)
        const { programs } = await client.listOpenadrPrograms({ orgId })
        const id = idOf(programs, given)
        await client.removeOpenadrProgram({ orgId, programId: id })
        print(flags.json, { id, removed: true }, () => `program ${id} removed`)
      },
    }),
  },
})

async function programOf(
  given: string | undefined,
  list: () => Promise<{ programs: readonly OpenadrProgram[] }>,
): Promise<string | undefined> {
  return given === undefined ? undefined : idOf((await list()).programs, given)
}

const eventsOf = ({ client, orgId }: Pick<Administration, 'client' | 'orgId'>, programId?: string) =>
  collectItems(
    (cursor) => {
      const query = { limit: PAGE, ...(programId && { programId }), ...(cursor && { cursor }) }
      return client.listOpenadrEvents({ orgId, query })
    },
    (page) => page.events,
    MOST,
  )

/** Finds an event by its id here or at the VTN, or by a name that only one has among those that are not over. */
export function eventNamed<Event extends Pick<OpenadrEvent, 'id' | 'eventId' | 'eventName' | 'state'>>(
  events: readonly Event[],
  given: string,
): Event {
  const byId = events.filter(({ id, eventId }) => id === given || eventId === given)
  const open = events.filter(({ eventName, state }) => eventName === given && ['active', 'upcoming'].includes(state))
  const [first, ...more] = byId.length > 0 ? byId : open
  if (!first) throw new UsageError(`there is no running or coming event ${given}: plantroom openadr events lists them`)
  if (more.length > 0)
    throw new UsageError(
      `${more.length + 1} events are called ${given}: give the id, from plantroom openadr events --json`,
    )
  return first
}

/** Finds a program by its id, or by a name that only one has. */
export function idOf(programs: readonly Pick<OpenadrProgram, 'id' | 'name'>[], given: string): string {
  const found = programs.filter(({ id, name }) => id === given || name === given)
  const [first, ...more] = found
  if (!first) throw new UsageError(`there is no OpenADR program ${given}: plantroom openadr programs lists them`)
  if (more.length > 0) throw new UsageError(`${found.length} programs are called ${given}: give the id`)
  return first.id
}

/** One line for each step, and under it what to ask. */
export function describeCheck({ steps, ok }: OpenadrCheck): string {
  const lines = steps.flatMap(({ step, state, message, ask }) => [
    `${state.padEnd(8)} ${step.padEnd(14)} ${message}`,
    ...(ask === null ? [] : [`${' '.repeat(24)}ask: ${ask}`]),
  ])
  return [...lines, ok ? 'the connection works' : 'the connection does not work'].join('\n')
}

function programRow({ id, name, state, polledAt, counts, problem }: OpenadrProgram): string[] {
  const { events, placed, refused } = counts
  return [id, name, state, orDash(polledAt), String(events), String(placed), String(refused), orDash(problem)]
}

function eventRow(event: OpenadrEvent): string[] {
  const { eventId, eventName, programName, state, from, to, placements, optOuts, problems } = event
  const counts = Object.entries(Object.groupBy(placements, (placement) => placement.state))
  const placed = counts.map(([name, list]) => `${list?.length} ${name}`).join(', ')
  const out = optOuts.map(({ resourceName }) => resourceName).join(', ')
  return [eventName ?? eventId, programName, state, orDash(from), orDash(to), placed, out, problems.join('; ')]
}

function reportRow({
  dueAt,
  programName,
  eventName,
  eventId,
  payloads,
  state,
  answer,
  error,
}: OpenadrReport): string[] {
  return [dueAt, programName, orDash(eventName ?? eventId), payloads.join(' '), state, answer ?? error ?? '-']
}
