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
import { flag, type parse, ReportedFailure, UsageError, valued } from '../../command.ts'
import { verb } from '../../declare.ts'
import { print, printable, table } from '../../output.ts'

const EVERY = ['hours', 'day', 'week', 'month'] as const
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const SET_FLAGS = {
  ...SITE_FLAGS,
  every: valued('PERIOD', 'how often', { choices: EVERY }),
  hours: valued('N', 'with --every hours: every N hours'),
  at: valued('HH:MM', 'the local time of the site'),
  weekday: valued('DAY', 'with --every week', { choices: WEEKDAYS }),
  day: valued('N', 'with --every month: the day of the month'),
  keep: valued('N', 'keep the last N packages'),
  'keep-days': valued('N', 'instead: keep packages for N days'),
  on: flag('start it'),
  off: flag('pause it'),
} as const

type SetFlags = ReturnType<typeof parse<typeof SET_FLAGS>>['values']

/** `plantroom package schedule …`: the automatic export of a site. */
export const SCHEDULE = {
  'schedule show': verb({
    about: 'show the automatic export of the site: schedule, targets, next and last run',
    options: SITE_FLAGS,
    json: 'the automatic export, or null',
    async run(flags) {
      const found = await find(await siteClient(flags))
      print(flags.json, found, () =>
        found ? describe(found) : 'no automatic export: plantroom package schedule set FILE',
      )
    },
  }),
  'schedule set': verb({
    about: 'set it from a YAML or JSON file, or change parts of it',
    arguments: [{ name: 'FILE', optional: true, completes: 'file' }],
    options: SET_FLAGS,
    json: 'the automatic export',
    async run(flags, { FILE }) {
      const changes = readChanges(flags)
      const read =
        FILE === undefined ? undefined : await readDocument(FILE, 'schedule', 'schedule, targets and retention')
      const target = await siteClient(flags)
      const base = read ? fromFile(read) : stored(await find(target))
      const body = { ...base, ...changes, schedule: changes.schedule ?? base.schedule }
      const { automaticExport } = await target.client.setAutomaticExport({ ...target.site, body })
      print(flags.json, automaticExport, () => (automaticExport ? describe(automaticExport) : ''))
    },
  }),
  'schedule test': verb({
    about: 'write, read and delete a small file at every target; exits with 1 if a target does not work',
    options: SITE_FLAGS,
    json: '[{target, ok, message}]',
    async run(flags) {
      const target = await siteClient(flags)
      const results: { target: string; ok: boolean; message: string | null }[] = []
      for (const one of (await require(target)).targets) {
        const { ok, message } = await target.client.testExportTarget({
          ...target.site,
          body: { target: givenAgain(one) },
        })
        results.push({ target: one.label, ok, message })
      }
      print(flags.json, results, () =>
        results.map(({ target, ok, message }) => printable(`${target}: ${ok ? 'works' : message}`)).join('\n'),
      )
      if (results.some(({ ok }) => !ok)) throw new ReportedFailure()
    },
  }),
  'schedule run': verb({
    about: 'export to the targets now',
    options: SITE_FLAGS,
    json: 'what was started',
    async run(flags) {
      const { client, site } = await siteClient(flags)
      const started = await client.startAutomaticExport(site)
      print(flags.json, started, () => 'started; see plantroom package schedule runs')
    },
  }),
  'schedule runs': verb({
    about: 'list past runs, newest first',
    options: { ...SITE_FLAGS, limit: valued('N', 'at most N; 20 by default') },
    json: '[{dueAt, byHand, state, tickets, bytes, deliveries, error, …}]',
    async run(flags) {
      const limit = wholeNumber(flags.limit ?? '20', '--limit')
      const { client, site } = await siteClient(flags)
      const { runs } = await client.listExportRuns({ ...site, query: { limit } })
      const header = ['DUE', 'STARTED BY', 'STATE', 'REQUESTS', 'BYTES', 'TARGETS', 'PROBLEM']
      print(flags.json, runs, () => table(header, runs.map(row), 'no runs yet'))
    },
  }),
  'schedule remove': verb({
    about: 'remove it; packages at the targets stay',
    options: SITE_FLAGS,
    json: '{removed}',
    async run(flags) {
      const { client, site } = await siteClient(flags)
      await client.removeAutomaticExport(site)
      print(flags.json, { removed: true }, () => 'automatic export removed; packages at its targets stay')
    },
  }),
}

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
