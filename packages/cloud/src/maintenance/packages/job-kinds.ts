import {
  CONVERSION_JOB_NAMES,
  type ConversionJobName,
  type ExportOutput,
  type FillOutput,
  type ImportOutput,
  type PreviewOutput,
} from '@plantroom/contract/jobs'
import type { Breakdown, JobKind, JobKinds } from '../../platform/jobs/index.ts'
import { describeStop } from './describe-stop.ts'
import { countFills } from './fill-outcome-store.ts'
import { findResult, importedSoFar } from './outcome-store.ts'

const MINUTE_MS = 60_000

const OUTCOMES = { created: 0, mapped: 0, left: 0 }
const MISSING = { units: OUTCOMES, people: OUTCOMES, tags: OUTCOMES }
const UNLISTED = { tags: 0, units: 0, people: 0 }

const PREVIEW_OUTPUT: PreviewOutput = {
  tickets: { total: 0, new: 0, existing: 0 },
  comments: 0,
  attachments: 0,
  tagsToCreate: [],
  unmatchedUnits: [],
  unmatchedEmails: [{ email: '', roles: [] }],
  unlisted: UNLISTED,
  missing: MISSING,
}

const IMPORT_OUTPUT: ImportOutput = {
  created: { tickets: 0, comments: 0, attachments: 0, tags: 0 },
  skipped: 0,
  unmatchedEmails: [{ email: '', roles: [] }],
  unmatchedUnits: [],
  unlisted: UNLISTED,
  missing: MISSING,
}

const FILL_OUTPUT: FillOutput = {
  tickets: { total: 0, filled: 0, complete: 0, notOnSite: 0, notImported: 0 },
  fields: {},
  tagsToCreate: [],
  unmatchedEmails: [{ email: '', roles: [] }],
  unmatchedUnits: [],
  unlisted: UNLISTED,
  missing: MISSING,
}

const EXPORT_OUTPUT: ExportOutput = { url: '', filename: '', tickets: 0, comments: 0, attachments: 0, bytes: 0 }

const DIVIDE = 'Divide requests that have very many comments, attachments, tags or emails into several'

const remedyFor = ({ isTooLarge }: Breakdown) => (isTooLarge ? `${DIVIDE}.` : 'Start it again.')
const whyOf = ({ reason, isTooLarge }: Breakdown) => (isTooLarge ? `${reason}. ${DIVIDE}` : reason)

/** Reads an export of another system. The user can start it again. */
const CONVERSION: JobKind = {
  maxAttempts: 1,
  limitMs: 60 * MINUTE_MS,
  isOneAtATime: false,
  joinsWaiting: false,
  outputExample: {},
  describeBroken: async (_db, _job, { reason, isTooLarge }) =>
    `The export could not be read: ${reason}. ${isTooLarge ? 'Split it into several and convert each.' : 'Start again.'}`,
}

/** The jobs that move packages in and out of a site. Only imports and fills are retried: the user can restart the others. */
export const JOB_KINDS: JobKinds = {
  PREVIEW_TICKET_IMPORT: {
    maxAttempts: 1,
    limitMs: 30 * MINUTE_MS,
    isOneAtATime: false,
    joinsWaiting: false,
    outputExample: PREVIEW_OUTPUT,
    describeBroken: async (_db, _job, broken) => `The preview did not finish: ${broken.reason}. ${remedyFor(broken)}`,
  },
  TICKET_IMPORT: {
    maxAttempts: 3,
    limitMs: 60 * MINUTE_MS,
    isOneAtATime: true,
    joinsWaiting: false,
    outputExample: IMPORT_OUTPUT,
    async describeBroken(db, job, broken) {
      const { created, passed, total } = await importedSoFar(db, job.id)
      return describeStop({ onSite: passed, added: created, total, why: whyOf(broken) })
    },
    findFinished: (db, job) => findResult(db, job.id),
  },
  TICKET_EXPORT: {
    maxAttempts: 1,
    limitMs: 60 * MINUTE_MS,
    // Two exports of one site at a time would only copy the same data twice.
    isOneAtATime: true,
    joinsWaiting: true,
    outputExample: EXPORT_OUTPUT,
    describeBroken: async (_db, _job, { reason }) => `The export did not finish: ${reason}. Start it again.`,
  },
  PREVIEW_TICKET_FILL: {
    maxAttempts: 1,
    limitMs: 30 * MINUTE_MS,
    isOneAtATime: false,
    joinsWaiting: false,
    outputExample: FILL_OUTPUT,
    describeBroken: async (_db, _job, broken) => `The preview did not finish: ${broken.reason}. ${remedyFor(broken)}`,
  },
  TICKET_FILL: {
    maxAttempts: 3,
    limitMs: 60 * MINUTE_MS,
    isOneAtATime: true,
    joinsWaiting: false,
    outputExample: FILL_OUTPUT,
    async describeBroken(db, job, broken) {
      const { filled } = await countFills(db, job.id)
      const requests = filled === 1 ? 'request' : 'requests'
      return `The fill stopped: ${whyOf(broken)}. It has filled ${filled} ${requests}; running it again continues from there.`
    },
    findFinished: (db, job) => findResult(db, job.id),
  },
  ...(Object.fromEntries(CONVERSION_JOB_NAMES.map((name) => [name, CONVERSION])) as Record<ConversionJobName, JobKind>),
}
