import {
  AutomaticExport,
  ExportRun,
  GivenAutomaticExport,
  GivenTarget,
  TARGET_KINDS,
  TargetTest,
} from '../automatic-exports.ts'
import { nextCursor, paging } from '../fields.ts'
import { route } from '../route.ts'
import { array, nullable, object, oneOf, text } from '../schema.ts'
import { mayWrite, SITE } from './site.ts'

const tag = 'Maintenance requests'
const AUTOMATIC = `${SITE}/ticket-packages/automatic-exports` as const
/** What sends personal data to another place: the person must have proved recently who they are. */
const freshly = { ...mayWrite, fresh: true } as const

const shownExport = object({
  automaticExport: nullable(AutomaticExport),
  offered: array(oneOf(TARGET_KINDS), { description: 'The kinds of targets that this service offers' }),
})

/** Exports of a site by a schedule, to places outside the service. */
export const automaticExportRoutes = {
  getAutomaticExport: route({
    method: 'GET',
    path: AUTOMATIC,
    access: mayWrite,
    tag,
    summary: 'Get the schedule, the targets and the state of the automatic export of the site',
    reply: shownExport,
  }),
  setAutomaticExport: route({
    method: 'PUT',
    path: AUTOMATIC,
    access: freshly,
    tag,
    summary: 'Set the schedule, the targets and the retention of the automatic export of the site',
    description:
      'A target without its secret keeps the stored one while its address and user stay the same. An export that a key set stops when that key ends.',
    body: GivenAutomaticExport,
    reply: shownExport,
  }),
  removeAutomaticExport: route({
    method: 'DELETE',
    path: AUTOMATIC,
    access: mayWrite,
    tag,
    summary: 'Remove the automatic export of the site; packages at its targets stay',
    status: 204,
  }),
  testExportTarget: route({
    method: 'POST',
    path: `${AUTOMATIC}/test`,
    access: freshly,
    tag,
    summary: 'Write, read and delete a small file at a target, and say what failed',
    body: object({ target: GivenTarget }),
    reply: TargetTest,
  }),
  startAutomaticExport: route({
    method: 'POST',
    path: `${AUTOMATIC}/run`,
    access: mayWrite,
    tag,
    summary: 'Export to the targets now; the schedule stays as it is',
    status: 202,
    reply: object({ runId: text() }),
  }),
  listExportRuns: route({
    method: 'GET',
    path: `${AUTOMATIC}/runs`,
    access: mayWrite,
    tag,
    summary: 'List the automatic exports of the site, the newest first, by pages',
    query: object(paging({ most: 200, default: 20 })),
    reply: object({ runs: array(ExportRun), nextCursor }),
  }),
} as const
