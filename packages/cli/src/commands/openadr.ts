import { readDocument } from '@plantroom/base/document'
import { collectItems } from '@plantroom/client/pages'
import type {
  GivenOpenadrProgram,
  OpenadrCheck,
  OpenadrEvent,
  OpenadrProgram,
  OpenadrReport,
} from '@plantroom/contract/openadr'
import { administration } from '../clients.ts'
import { COMMON_FLAGS, ReportedFailure, UsageError, valued } from '../command.ts'
import { command, verb } from '../declare.ts'
import { orDash, print, table } from '../output.ts'

const PROGRAM = { name: 'PROGRAM', about: 'the id or the name of a program' } as const
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
        const events = await collectItems(
          (cursor) => {
            const query = { limit: PAGE, ...(programId && { programId }), ...(cursor && { cursor }) }
            return client.listOpenadrEvents({ orgId, query })
          },
          (page) => page.events,
          MOST,
        )
        const header = ['EVENT', 'PROGRAM', 'STATE', 'FROM', 'TO', 'PLACED', 'PROBLEMS']
        print(flags.json, events, () => table(header, events.map(eventRow), 'no events yet'))
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

function eventRow({ eventId, eventName, programName, state, from, to, placements, problems }: OpenadrEvent): string[] {
  const counts = Object.entries(Object.groupBy(placements, (placement) => placement.state))
  const placed = counts.map(([name, list]) => `${list?.length} ${name}`).join(', ')
  return [eventName ?? eventId, programName, state, orDash(from), orDash(to), placed, problems.join('; ')]
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
