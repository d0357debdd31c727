import { readDocument } from '@plantroom/base/document'
import type {
  AutomaticExport,
  ExportRun,
  ExportSchedule,
  ExportTarget,
  GivenAutomaticExport,
  GivenTarget,
} from '@plantroom/contract/automatic-exports'
import { wholeNumber } from '../../arguments.ts'
import { SITE_FLAGS, type SiteClient, siteClient } from '../../clients.ts'
import { byVerb, parse, positionals, ReportedFailure, UsageError } from '../../command.ts'
import { print, printable, table } from '../../output.ts'

export const SCHEDULE_USAGE = `plantroom package schedule show         show the automatic export of the site: schedule, targets, next and last run
plantroom package schedule set [FILE]   set it from a YAML or JSON file, or change parts of it:
                                        --every hours|day|week|month, --hours N, --at HH:MM, --weekday mon…sun, --day N
                                        --keep N          keep the last N packages, or --keep-days N
                                        --on, --off       start or pause it
plantroom package schedule test         write, read and delete a small file at every target
plantroom package schedule run          export to the targets now
plantroom package schedule runs         list past runs, newest first; --limit N (default 20)
plantroom package schedule remove       remove it; packages at the targets stay`

const SET_FLAGS = {
  ...SITE_FLAGS,
  every: { type: 'string' },
  hours: { type: 'string' },
  at: { type: 'string' },
  weekday: { type: 'string' },
  day: { type: 'string' },
  keep: { type: 'string' },
  'keep-days': { type: 'string' },
  on: { type: 'boolean' },
  off: { type: 'boolean' },
} as const

type SetFlags = ReturnType<typeof parse<typeof SET_FLAGS>>['values']

/** Runs `plantroom package schedule`: the automatic export of a site. */
export const schedule = byVerb({
  async show(args) {
    const { values, positionals: given } = parse(args, SITE_FLAGS)
    positionals(given)
    const found = await find(await siteClient(values))
    print(values.json, found, () =>
      found ? describe(found) : 'no automatic export: plantroom package schedule set FILE',
    )
  },

  async set(args) {
    const { values, positionals: given } = parse(args, SET_FLAGS)
    const [file, ...more] = given
    if (more.length > 0) throw new UsageError(`unexpected argument ${more[0]}`)
    const changes = readChanges(values)
    const read =
      file === undefined ? undefined : await readDocument(file, 'schedule', 'schedule, targets and retention')
    const target = await siteClient(values)
    const base = read ? fromFile(read) : stored(await find(target))
    const body = { ...base, ...changes, schedule: changes.schedule ?? base.schedule }
    const { automaticExport } = await target.client.setAutomaticExport({ ...target.site, body })
    print(values.json, automaticExport, () => (automaticExport ? describe(automaticExport) : ''))
  },

  async test(args) {
    const { values, positionals: given } = parse(args, SITE_FLAGS)
    positionals(given)
    const target = await siteClient(values)
    const results: { target: string; ok: boolean; message: string | null }[] = []
    for (const one of (await require(target)).targets) {
      const { ok, message } = await target.client.testExportTarget({
        ...target.site,
        body: { target: givenAgain(one) },
      })
      results.push({ target: one.label, ok, message })
    }
    print(values.json, results, () =>
      results.map(({ target, ok, message }) => printable(`${target}: ${ok ? 'works' : message}`)).join('\n'),
    )
    if (results.some(({ ok }) => !ok)) throw new ReportedFailure('a target does not work')
  },

  async run(args) {
    const { values, positionals: given } = parse(args, SITE_FLAGS)
    positionals(given)
    const { client, site } = await siteClient(values)
    const started = await client.startAutomaticExport(site)
    print(values.json, started, () => 'started; see plantroom package schedule runs')
  },

  async runs(args) {
    const { values, positionals: given } = parse(args, { ...SITE_FLAGS, limit: { type: 'string' } })
    positionals(given)
    const limit = wholeNumber(values.limit ?? '20', '--limit')
    const { client, site } = await siteClient(values)
    const { runs } = await client.listExportRuns({ ...site, query: { limit } })
    const header = ['DUE', 'STARTED BY', 'STATE', 'REQUESTS', 'BYTES', 'TARGETS', 'PROBLEM']
    print(values.json, runs, () => table(header, runs.map(row), 'no runs yet'))
  },

  async remove(args) {
    const { values, positionals: given } = parse(args, SITE_FLAGS)
    positionals(given)
    const { client, site } = await siteClient(values)
    await client.removeAutomaticExport(site)
    print(values.json, { removed: true }, () => 'automatic export removed; packages at its targets stay')
  },
})

async function find({ client, site }: SiteClient): Promise<AutomaticExport | null> {
  return (await client.getAutomaticExport(site)).automaticExport
}

async function require(target: SiteClient): Promise<AutomaticExport> {
  const found = await find(target)
  if (!found) throw new Error('the site has no automatic export: set one with plantroom package schedule set FILE')
  return found
}

/** The service checks the rest. */
const fromFile = (content: object) => Object.assign({ enabled: true }, content) as GivenAutomaticExport

function stored(found: AutomaticExport | null): GivenAutomaticExport {
  if (!found) throw new UsageError('FILE is missing: the site has no automatic export that could be changed')
  const { enabled, schedule, retention, targets } = found
  return { enabled, schedule, retention, targets: targets.map(givenAgain) }
}

/** A stored target as the service takes it back. Its secret stays where it is. */
function givenAgain({ id, s3, webdav, folder }: ExportTarget): GivenTarget {
  return { id, ...(s3 && { s3 }), ...(webdav && { webdav }), ...(folder && { folder }) }
}

/** Reads what the flags change. The service checks the values. */
export function readChanges(flags: SetFlags): Partial<GivenAutomaticExport> {
  const { every, hours, at, weekday, day, keep, 'keep-days': keepDays, on, off } = flags
  if (on && off) throw new UsageError('--on and --off: use one of them')
  if (keep !== undefined && keepDays !== undefined) throw new UsageError('--keep and --keep-days: use one of them')
  if (every === undefined && [hours, at, weekday, day].some((value) => value !== undefined)) {
    throw new UsageError('--every is missing: it says what --hours, --at, --weekday and --day mean')
  }
  const kept = keep ?? keepDays
  const unit = keep === undefined ? 'days' : 'packages'
  return {
    ...((on || off) && { enabled: on === true }),
    ...(kept !== undefined && {
      retention: { keep: wholeNumber(kept, keep === undefined ? '--keep-days' : '--keep'), unit },
    }),
    ...(every !== undefined && {
      schedule: {
        every,
        ...(hours !== undefined && { hours: wholeNumber(hours, '--hours') }),
        ...(at !== undefined && { at }),
        ...(weekday !== undefined && { weekday }),
        ...(day !== undefined && { day: wholeNumber(day, '--day') }),
      } as ExportSchedule,
    }),
  }
}

function describe({ enabled, schedule, retention, targets, ...state }: AutomaticExport): string {
  const next = enabled ? (state.stoppedReason ?? state.nextRunAt ?? '-') : 'paused'
  const failing = state.failingSince === null ? [] : [`failing       since ${state.failingSince}: ${state.lastError}`]
  return [
    `schedule      ${describeSchedule(schedule)}`,
    `next run      ${next}`,
    `last success  ${state.lastSuccessAt ?? 'none yet'}`,
    ...failing,
    `keeps         ${retention.keep} ${retention.unit}`,
    ...targets.map(({ label, lastError }) => `target        ${label}${lastError === null ? '' : `: ${lastError}`}`),
  ]
    .map(printable)
    .join('\n')
}

function describeSchedule({ every, hours, at, weekday, day }: ExportSchedule): string {
  if (every === 'hours') return `every ${hours} h`
  const on = every === 'week' ? ` on ${weekday}` : every === 'month' ? ` on day ${day}` : ''
  return `every ${every}${on} at ${at}, local time of the site`
}

function row({ dueAt, byHand, state, tickets, bytes, deliveries, error }: ExportRun): string[] {
  const arrived = deliveries.filter((delivery) => delivery.state === 'delivered').length
  const problem = error ?? deliveries.find((delivery) => delivery.error !== null)?.error ?? '-'
  const by = byHand ? 'by hand' : 'Schedule'
  return [dueAt, by, state, String(tickets ?? '-'), String(bytes ?? '-'), `${arrived} of ${deliveries.length}`, problem]
}
