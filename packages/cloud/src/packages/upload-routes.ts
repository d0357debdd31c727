import type { FastifyInstance } from 'fastify'
import type { FileStore } from '../files/file-store.ts'
import { packageKey } from '../files/keys.ts'
import { readFileName } from './file-name.ts'

const UPLOAD_EXPIRES_S = 3600

interface UploadUrlRoute {
  Params: { orgId: string; propertyId: string }
  Querystring: { filename: string }
}

/** Where a package is to be sent. The sending itself goes to the file store, which may be another service. */
export function uploadRoutes(app: FastifyInstance, deps: { files: Pick<FileStore, 'uploadUrl'> }): void {
  app.get<UploadUrlRoute>(
    '/api/orgs/:orgId/properties/:propertyId/ticket-packages/import/upload-url',
    {
      config: {
        access: {
          by: 'key-or-operator',
          permission: 'ticket:read_write',
          role: 'manager',
          needs: 'maintenance-requests',
        },
      },
      schema: {
        tags: ['Maintenance requests'],
        summary: 'An address for the upload of a package, good for one hour',
        description:
          'PUT the file to it as it is, without X-Api-Key. A second upload under one name replaces the first.',
        querystring: {
          type: 'object',
          required: ['filename'],
          properties: {
            filename: {
              type: 'string',
              description:
                'Letters (also ä, ö, õ, ü), digits, spaces and _ - . ( ); ends in .fpl; at most 255 characters',
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
