import { manifestSchemaBytes } from '@plantroom/fpl/manifest-schema'
import type { FastifyInstance } from 'fastify'
import { type FileStore, packageKey } from '../files/index.ts'
import { readFileName } from './file-names.ts'
import { BASE, MAY_IMPORT, tags } from './job-schemas.ts'

const UPLOAD_EXPIRES_S = 3600

interface UploadUrlRoute {
  Params: { orgId: string; propertyId: string }
  Querystring: { filename: string }
}

/** Gives out upload addresses. The upload itself goes to the file store, which may be another service. */
export function uploadRoutes(app: FastifyInstance, deps: { files: Pick<FileStore, 'uploadUrl'> }): void {
  app.get<UploadUrlRoute>(
    `${BASE}/import/upload-url`,
    {
      config: { access: MAY_IMPORT },
      schema: {
        tags,
        summary: 'Get an address for uploading a package, valid for one hour',
        description:
          'PUT the raw file to the address, without X-Api-Key. Another upload with the same name replaces the first.',
        querystring: {
          type: 'object',
          required: ['filename'],
          properties: {
            filename: {
              type: 'string',
              description:
                'Letters (including ä, ö, õ, ü), digits, spaces and _ - . ( ); ends in .fpl; at most 255 characters',
            },
          },
        },
        response: { 200: { type: 'object', properties: { url: { type: 'string' } } } },
      },
    },
    async (request) => {
      const { orgId, propertyId } = request.params
      const key = packageKey(orgId, propertyId, readFileName(request.query.filename))
      return { url: await deps.files.uploadUrl(key, { expiresInS: UPLOAD_EXPIRES_S }) }
    },
  )
}

/** Serves the schema that packages are checked with, byte for byte. */
export function schemaRoutes(app: FastifyInstance): void {
  const bytes = Buffer.from(manifestSchemaBytes())
  app.get(
    '/schemas/ticket-export-v1.json',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        tags,
        summary: 'Get the JSON Schema (draft-07) of manifest.json, for editors and programs that write packages',
        response: { 200: { type: 'object', additionalProperties: true } },
      },
      // The bytes of the file, not a re-serialized object.
      serializerCompiler: () => (data) => String(data),
    },
    async (_request, reply) =>
      reply
        .type('application/schema+json')
        // Editors in a browser load it from another origin.
        .header('access-control-allow-origin', '*')
        .header('cache-control', 'public, max-age=3600')
        .send(bytes),
  )
}
