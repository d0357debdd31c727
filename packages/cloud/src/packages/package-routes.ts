import { API } from '@plantroom/contract/api'
import { manifestSchemaBytes } from '@plantroom/fpl/manifest-schema'
import type { FastifyInstance } from 'fastify'
import { type FileStore, packageKey } from '../files/index.ts'
import { addRoute } from '../routes/index.ts'
import { readFileName } from './file-names.ts'

const UPLOAD_EXPIRES_S = 3600

/** Gives out upload addresses. The upload itself goes to the file store, which may be another service. */
export function uploadRoutes(app: FastifyInstance, deps: { files: Pick<FileStore, 'uploadUrl'> }): void {
  addRoute(app, API.getUploadUrl, async (request) => {
    const { orgId, propertyId } = request.params
    const key = packageKey(orgId, propertyId, readFileName(request.query.filename))
    return { url: await deps.files.uploadUrl(key, { expiresInS: UPLOAD_EXPIRES_S }) }
  })
}

/** Serves the schema that packages are checked with, byte for byte. */
export function schemaRoutes(app: FastifyInstance): void {
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
