import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { ImportOptions, JobName } from '@plantroom/contract/jobs'
import { shown } from '@plantroom/contract/shown'
import { manifestSchemaBytes } from '@plantroom/fpl/manifest-schema'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type FileStore, packageKey } from '../../platform/files/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { readFileName } from '../uploads/index.ts'
import { exportJobName } from './job-activity.ts'

/** Room for as many choices as there may be about names of a package. */
const OPTIONS_BODY_BYTES = 8 * 1024 * 1024

interface PackageRouteDeps {
  /** Accepts a job, which then always runs, and returns its id. */
  accept(
    job: {
      organizationId: string
      siteId: string
      name: JobName
      filename: string
      packageVersion: string | null
      options?: ImportOptions | undefined
      keyId: string | null
    },
    request: FastifyRequest,
  ): Promise<string>
  /** Throws `invalid` when the options map a name to something that the site does not have. */
  requireTargets(siteId: string, options: ImportOptions): Promise<void>
  files: Pick<FileStore, 'stat'>
  clock: Clock
}

interface OfSite {
  Params: { orgId: string; propertyId: string }
}

/** Moves packages in and out of a site: previews, imports and exports. */
export function packageRoutes(app: FastifyInstance, deps: PackageRouteDeps): void {
  startRoutes(app, deps)
  schemaRoute(app)
}

function startRoutes(app: FastifyInstance, deps: PackageRouteDeps): void {
  type StartRoute = OfSite & { Body: { filename: string; options?: ImportOptions } }

  async function startWithPackage(name: JobName, request: FastifyRequest<StartRoute>): Promise<{ jobId: string }> {
    const { orgId, propertyId } = request.params
    const filename = readFileName(request.body.filename)
    const file = await deps.files.stat(packageKey(orgId, propertyId, filename))
    if (!file) throw new Failure('notFound', `no file was uploaded under the name ${shown(filename)}: upload it first`)
    const { options } = request.body
    if (options) await deps.requireTargets(propertyId, options)
    return accept(name, request, { filename, packageVersion: file.version, options })
  }

  async function accept(
    name: JobName,
    request: FastifyRequest<OfSite>,
    input: { filename: string; packageVersion: string | null; options?: ImportOptions | undefined },
  ): Promise<{ jobId: string }> {
    const { orgId: organizationId, propertyId: siteId } = request.params
    const keyId = request.keyId ?? null
    return { jobId: await deps.accept({ organizationId, siteId, name, ...input, keyId }, request) }
  }

  const bodyLimit = OPTIONS_BODY_BYTES
  addRoute(app, API.startPreview, (request) => startWithPackage('PREVIEW_TICKET_IMPORT', request), { bodyLimit })
  addRoute(app, API.startImport, (request) => startWithPackage('TICKET_IMPORT', request), { bodyLimit })
  addRoute(app, API.startFillPreview, (request) => startWithPackage('PREVIEW_TICKET_FILL', request), { bodyLimit })
  addRoute(app, API.startFill, (request) => startWithPackage('TICKET_FILL', request), { bodyLimit })

  addRoute(app, API.startExport, (request) => {
    const filename = exportJobName(deps.clock.now())
    return accept('TICKET_EXPORT', request, { filename, packageVersion: null })
  })
}

/** Serves the schema that packages are checked with, byte for byte. */
function schemaRoute(app: FastifyInstance): void {
  const bytes = Buffer.from(manifestSchemaBytes())
  addRoute(
    app,
    API.getManifestSchema,
    async (_request, reply) =>
      reply
        .type('application/schema+json')
        // Editors in a browser load it from another origin.
        .header('access-control-allow-origin', '*')
        .header('cache-control', 'public, max-age=3600')
        .send(bytes),
    {
      // The bytes of the file, not a re-serialized object.
      serializerCompiler: () => (data) => String(data),
    },
  )
}
