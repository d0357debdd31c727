import { systemClock } from '@plantroom/base/clock'
import type { JobName } from '@plantroom/contract/jobs'
import type { Permission } from '@plantroom/contract/permissions'
import { onTestFinished } from 'vitest'
import { authorizeRoutes } from '../../../organization/access/authorize.ts'
import { packageKey } from '../../../platform/files/index.ts'
import { createServer } from '../../../platform/http/server.ts'
import { acceptJob, createJobStore } from '../../../platform/jobs/index.ts'
import { type Ending, endNextJob } from '../../../platform/jobs/testing/attempts.ts'
import { log, openJobBench } from '../../../platform/jobs/testing/job-bench.ts'
import { addressRoutes } from '../../uploads/address-routes.ts'
import { recordUpload } from '../../uploads/upload-store.ts'
import { JOB_KINDS } from '../job-kinds.ts'
import { jobReportRoutes } from '../job-report-routes.ts'
import { jobRoutes } from '../job-routes.ts'
import { requireTargets } from '../match-store.ts'
import { packageRoutes } from '../package-routes.ts'
import { createReportStore } from '../report-store.ts'

const ADMIN_TOKEN = 'test-admin-token-0123456789'

/** Opens the routes of packages and jobs on a real database, with an uploaded package `here.fpl`. */
export async function openPackageRoutes() {
  const bench = await openJobBench()
  const { db, organizationId, siteId, otherSiteId } = bench
  const app = createServer({ tls: undefined, log })
  onTestFinished(() => app.close())
  const keys: Record<string, { permissions: Permission[]; sites?: string[] }> = {
    reader: { permissions: ['ticket:read'] },
    writer: { permissions: ['ticket:read_write'] },
    elsewhere: { permissions: ['ticket:read_write'], sites: [otherSiteId] },
    other: { permissions: ['edge-device:read_write'] },
  }
  authorizeRoutes(app, {
    adminToken: ADMIN_TOKEN,
    sessions: { find: async () => undefined },
    publicOrigin: undefined,
    findDevice: () => undefined,
    findSite: (id) => ([siteId, otherSiteId].includes(id) ? { organizationId, maintenanceRequests: true } : undefined),
    keys: {
      verify(text) {
        const key = keys[text]
        if (!key) return undefined
        const siteIds = key.sites && new Set(key.sites)
        const secret = { hash: Buffer.alloc(32), previous: undefined, expiresAt: undefined }
        const permissions = new Set(key.permissions)
        return { id: text, organizationId, name: text, ...secret, permissions, siteIds }
      },
      isActive: (id) => keys[id] !== undefined,
    },
  })
  const here = packageKey(organizationId, siteId, 'here.fpl')
  const store = createJobStore(db, JOB_KINDS)
  packageRoutes(app, {
    accept: (job) => acceptJob({ db, kinds: JOB_KINDS, quota: { perSite: 3, perOrganization: 5 } }, job),
    requireTargets: (siteId, options) => requireTargets(db, siteId, options),
    files: { stat: async (key) => (key === here ? { size: 5, version: 'v7' } : undefined) },
    clock: systemClock,
  })
  addressRoutes(app, {
    recordUpload: (upload) => recordUpload(db, upload, { at: new Date(), max: 2 }),
    files: { uploadUrl: async (key) => `https://files.example/${key}` },
  })
  jobRoutes(app, {
    store,
    files: { downloadUrl: async (key, { filename }) => `https://files.example/${key}?as=${filename}` },
  })
  jobReportRoutes(app, { store, reports: createReportStore(db) })

  async function call(
    method: 'GET' | 'POST',
    path: string,
    options: { key?: string; body?: object; site?: string } = {},
  ) {
    const { key, body, site = siteId } = options
    const answer = await app.inject({
      method,
      url: `/api/orgs/${organizationId}/properties/${site}/ticket-packages${path}`,
      headers: key ? { 'x-api-key': key } : { authorization: `Bearer ${ADMIN_TOKEN}` },
      ...(body && { payload: body }),
    })
    const isJson = answer.headers['content-type']?.toString().includes('json')
    return { status: answer.statusCode, text: answer.body, headers: answer.headers, body: isJson ? answer.json() : {} }
  }

  const finish = (name: JobName, ending: Ending) => endNextJob({ db, kinds: JOB_KINDS }, name, ending)
  return { ...bench, call, finish }
}
