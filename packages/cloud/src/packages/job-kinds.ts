import type { ExportOutput, ImportOutput, PreviewOutput } from '@plantroom/contract/jobs'
import { CONVERSION_JOB_NAMES, type ConversionJobName } from '@plantroom/contract/jobs'
import type { JobKind, JobKinds } from '../jobs/index.ts'
import { importedSoFar } from './outcome-store.ts'

const MINUTE_MS = 60_000

const PREVIEW_OUTPUT: PreviewOutput = {
  tickets: { total: 0, new: 0, existing: 0 },
  comments: 0,
  attachments: 0,
  tagsToCreate: [],
  unmatchedUnits: [],
  unmatchedEmails: [{ email: '', roles: [] }],
}

const IMPORT_OUTPUT: ImportOutput = {
  created: { tickets: 0, comments: 0, attachments: 0, tags: 0 },
  skipped: 0,
  unmatchedEmails: [{ email: '', roles: [] }],
  unmatchedUnits: [],
}

const EXPORT_OUTPUT: ExportOutput = { url: '', filename: '', tickets: 0, comments: 0, attachments: 0, bytes: 0 }

/** Reads an export of another system. The user can start it again. */
const CONVERSION: JobKind = {
  maxAttempts: 1,
  limitMs: 60 * MINUTE_MS,
  isOneAtATime: false,
  joinsWaiting: false,
  outputExample: {},
  describeBroken: async (_db, _job, reason) => `The export could not be read: ${reason}. Start again.`,
}

/** The jobs that move packages in and out of a site. Only imports are retried: the user can restart the others. */
export const JOB_KINDS: JobKinds = {
  PREVIEW_TICKET_IMPORT: {
    maxAttempts: 1,
    limitMs: 30 * MINUTE_MS,
    isOneAtATime: false,
    joinsWaiting: false,
    outputExample: PREVIEW_OUTPUT,
    describeBroken: async (_db, _job, reason) => `The preview did not finish: ${reason}. Start it again.`,
  },
  TICKET_IMPORT: {
    maxAttempts: 3,
    limitMs: 60 * MINUTE_MS,
    isOneAtATime: true,
    joinsWaiting: false,
    outputExample: IMPORT_OUTPUT,
    async describeBroken(db, job, reason) {
      const { created, passed } = await importedSoFar(db, job.id)
      const requests = created === 1 ? 'request' : 'requests'
      return `The import stopped at request ${passed + 1}: ${reason}. It has added ${created} ${requests} to the site; running the import again continues from there.`
    },
  },
  TICKET_EXPORT: {
    maxAttempts: 1,
    limitMs: 60 * MINUTE_MS,
    // Two exports of one site at a time would only copy the same data twice.
    isOneAtATime: true,
    joinsWaiting: true,
    outputExample: EXPORT_OUTPUT,
    describeBroken: async (_db, _job, reason) => `The export did not finish: ${reason}. Start it again.`,
  },
  ...(Object.fromEntries(CONVERSION_JOB_NAMES.map((name) => [name, CONVERSION])) as Record<ConversionJobName, JobKind>),
}
